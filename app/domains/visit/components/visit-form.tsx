import { useEffect, useRef, useState } from "react";
import { Form, href, useLocation } from "react-router";
import type { VisitDraft } from "#app/db/schema/index.ts";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "#app/lib/language.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Note, SectionHead } from "#app/ui/pieces.tsx";
import type { FOLLOW_UPS } from "../encounters/draft.ts";
import type { SaveState } from "./autosave.ts";
import { MedicineFields, NOTE_FIELDS } from "./medicine-fields.tsx";
import { useGenericNames, useVisitAutosave } from "./use-visit-autosave.ts";
import { type FieldErrors, VisitCheck, VisitInput, VisitSelect, VisitText } from "./visit-field.tsx";

export type VisitFormProps = {
  id: string;
  draft: VisitDraft;
  version: number;
  savedAt: string | null;
  /** A random key of this page. */
  page: string;
  replaces: boolean;
  /** What the queue does not know about the patient. */
  asks: { age: boolean; gender: boolean };
  /** The day of the visit. */
  date: string;
  favourites: { id: string; name: string; hint: string }[];
  /** The last prescription that can be repeated. */
  last: string | null;
  advice: { key: string; word: string }[];
  errors: FieldErrors;
  conflict: string | null;
};

const followUps = () =>
  [
    ["none", m.visit_follow_none()],
    ["3-days", m.visit_follow_3_days()],
    ["1-week", m.visit_follow_1_week()],
    ["2-weeks", m.visit_follow_2_weeks()],
    ["1-month", m.visit_follow_1_month()],
    ["3-months", m.visit_follow_3_months()],
  ] as const satisfies [keyof typeof FOLLOW_UPS, string][];

/** Note, prescription, advice and follow-up of a visit: one form that works without scripts. */
export function VisitForm(props: VisitFormProps) {
  const { id, draft } = props;
  const form = useRef<HTMLFormElement>(null);
  const turn = useRef<HTMLInputElement>(null);
  // The first key stays: the posts of one page are no conflict.
  const [page] = useState(props.page);
  const saving = useVisitAutosave(form, turn, href("/doctor/visits/:id/draft", { id }));
  useFocusOnNewMedicine(props.version);
  return (
    <Form method="post" ref={form} className="[&_.input]:scroll-mt-20" id="visit" noValidate>
      {/* Enter in a field saves, and presses no button of a medicine. */}
      <button type="submit" className="sr-only" name="save" value="1" tabIndex={-1} aria-hidden="true">
        {m.visit_save()}
      </button>
      <input type="hidden" name="version" value={props.version} />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="turn" defaultValue="0" ref={turn} />
      <input type="hidden" name="twice" value={draft.twice ?? ""} />
      <input type="hidden" name="lines" value={draft.lines.length} />
      <Problems id={id} errors={props.errors} conflict={props.conflict ?? saving.conflict} />
      {props.replaces && <Note className="mb-3">{m.visit_correcting()}</Note>}
      <NoteSection {...props} />
      <PrescriptionSection {...props} />
      <AfterSection {...props} saving={{ ...saving, savedAt: saving.savedAt ?? props.savedAt }} />
    </Form>
  );
}

/** Focuses the name of a medicine that was just added: the doctor types at once. */
function useFocusOnNewMedicine(version: number) {
  const { hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each saving shows new fields
  useEffect(() => {
    const name = /^#medicine_\d+$/.test(hash) ? document.getElementById(hash.slice(1)) : null;
    if (name instanceof HTMLInputElement && name.value === "") name.focus();
  }, [hash, version]);
}

/** What prevents saving or signing. */
function Problems({ id, errors, conflict }: Pick<VisitFormProps, "id" | "errors" | "conflict">) {
  const { twice, ...others } = errors;
  const wrong = Object.keys(others).length;
  return (
    <>
      {conflict && (
        <Note tone="warn" role="alert" className="mb-3">
          {conflict}{" "}
          <Button type="submit" variant="second" size="sm" name="overwrite" value="1">
            {m.visit_overwrite()}
          </Button>{" "}
          <a href={href("/doctor/visits/:id", { id })} target="_blank" rel="noreferrer">
            {m.visit_open_other()}
          </a>
        </Note>
      )}
      {wrong > 0 && (
        <Note tone="bad" role="alert" className="mb-3">
          {errors.doctor?.[0] ?? errors.patient?.[0] ?? m.visit_wrong({ count: wrong })}{" "}
          {errors.doctor && <a href={href("/doctor/profile-view")}>{m.visit_open_profile()}</a>}
        </Note>
      )}
      {twice && (
        <Note tone="warn" role="alert" className="mb-3">
          {m.visit_twice()} <b>{twice.join(" ")}</b>{" "}
          <Button type="submit" variant="second" size="sm" name="keep" value={twice.join(" ")}>
            {m.visit_twice_keep()}
          </Button>
        </Note>
      )}
    </>
  );
}

/** Returns the properties of a field from its name and value. */
const fieldWith = (errors: FieldErrors) => (name: string, value: string) => ({ name, defaultValue: value, errors });

function NoteSection({ draft, errors, asks, date }: VisitFormProps) {
  const text = fieldWith(errors);
  return (
    <section className="card" aria-labelledby="h-note">
      <h2 id="h-note" className="mb-3">
        {m.visit_note()}
      </h2>
      <div className={NOTE_FIELDS}>
        {asks.age && (
          <>
            <VisitInput label={m.visit_patient_age()} inputMode="numeric" {...text("patient_age", draft.patientAge)} />
            <VisitInput
              label={m.age_birth_instead()}
              type="date"
              max={date}
              optional
              {...text("patient_birth_date", draft.patientBirthDate ?? "")}
            />
          </>
        )}
        {asks.gender && (
          <VisitSelect
            label={m.visit_patient_gender()}
            options={[["", m.visit_choose()] as const, ...GENDERS.map((one) => [one, genderWord(one)] as const)]}
            {...text("patient_gender", draft.patientGender)}
          />
        )}
        <div>
          <VisitInput label={m.visit_allergies()} optional {...text("allergies", draft.allergies)} />
          <div className="mt-2">
            <VisitCheck name="no_allergies" label={m.visit_none_tick()} checked={draft.noAllergies === "on"} errors={errors} />
          </div>
        </div>
        <VisitInput label={m.visit_conditions()} optional {...text("conditions", draft.conditions)} />
        <VisitText label={m.visit_complaint()} {...text("complaint", draft.complaint)} />
        <VisitText label={m.visit_findings()} {...text("findings", draft.findings)} />
        <div className="grid grid-cols-[minmax(0,1fr)_7.75rem] gap-3 desktop:col-span-full">
          <VisitInput label={m.visit_diagnosis()} {...text("diagnosis", draft.diagnosis)} />
          <VisitInput label={m.visit_code()} optional {...text("diagnosis_code", draft.diagnosisCode)} />
        </div>
      </div>
    </section>
  );
}

function PrescriptionSection({ draft, version, errors, favourites, last }: VisitFormProps) {
  const generic = useGenericNames();
  return (
    <section className="card mt-3 scroll-mt-20" id="prescription" aria-labelledby="h-rx">
      <SectionHead>
        <h2 id="h-rx">{m.visit_prescription()}</h2>
        {last !== null && (
          <Button type="submit" variant="second" size="sm" name="repeat" value="1" title={last}>
            {m.visit_repeat()}
          </Button>
        )}
      </SectionHead>
      {favourites.length > 0 && <Favourites favourites={favourites} />}
      {favourites.length > 0 && <EditFavourites favourites={favourites} />}
      <div className="@container" key={`${version}-${draft.lines.length}`}>
        {draft.lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the form
          <MedicineFields key={i} n={i + 1} line={line} errors={errors} onName={generic.load} />
        ))}
      </div>
      <datalist id="generic-names">
        {generic.names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" variant="second" name="add" value="1">
        <Icon name="plus" small /> {m.visit_add()}
      </Button>
    </section>
  );
}

/** The favourites, each a button that adds it to the prescription. */
const Favourites = ({ favourites }: Pick<VisitFormProps, "favourites">) => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2 my-3 mx-0">
    {favourites.map((one) => (
      <li key={one.id}>
        <button
          type="submit"
          className="w-full min-h-14 py-1 px-2 border-[1.5px] border-line-strong rounded-md bg-card text-ink text-sm leading-tight text-start wrap-anywhere cursor-pointer"
          name="favourite"
          value={one.id}
        >
          <b>{one.name}</b>
          <br />
          <span className="text-ink-soft">{one.hint}</span>
        </button>
      </li>
    ))}
  </ul>
);

/** The favourites, each with a button that removes it. */
function EditFavourites({ favourites }: Pick<VisitFormProps, "favourites">) {
  return (
    <details className="mb-2">
      <summary className="min-h-target py-2">{m.visit_favourites_edit()}</summary>
      <ul>
        {favourites.map((one) => (
          <li key={one.id} className="row">
            <span className="grow">
              <b>{one.name}</b> <span className="text-ink-soft">{one.hint}</span>
            </span>
            <Button type="submit" variant="quiet" size="sm" name="unfavourite" value={one.id}>
              {m.visit_remove()}
              <span className="sr-only"> {one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function AfterSection({ draft, errors, advice, saving }: VisitFormProps & { saving: SaveState }) {
  const text = fieldWith(errors);
  return (
    <section className="card mt-3" aria-labelledby="h-after">
      <h2 id="h-after" className="mb-3">
        {m.visit_after()}
      </h2>
      <fieldset className="flex flex-wrap gap-2 mb-3">
        <legend className="label">{m.visit_advice_common()}</legend>
        {advice.map(({ key, word }) => (
          <VisitCheck key={key} name={`advice_${key}`} label={word} checked={draft.advice.includes(key)} />
        ))}
      </fieldset>
      <div className={NOTE_FIELDS}>
        <VisitText className="desktop:col-span-full" label={m.visit_advice()} optional {...text("advice", draft.adviceWords)} />
        <VisitSelect label={m.visit_follow()} options={[...followUps()]} {...text("follow_up", draft.followUp)} />
        <VisitInput label={m.visit_follow_on()} optional type="date" {...text("follow_up_date", draft.followUpDate)} />
        <VisitSelect
          label={m.visit_language()}
          options={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one], one] as const)}
          {...text("language", draft.language)}
        />
      </div>
      <p className="row flex-wrap mt-2">
        <Button type="submit" variant="quiet" size="sm" className="pl-0 self-start" name="save" value="1">
          {m.visit_save()}
        </Button>
        <span className="text-sm text-ink-soft" role="status">
          {savingWord(saving)}
        </span>
      </p>
    </section>
  );
}

function savingWord({ failed, savedAt }: SaveState): string {
  if (failed === "login") return m.visit_not_saved_login();
  if (failed === "network") return m.visit_not_saved_network();
  return savedAt ? m.visit_saved_at({ at: savedAt }) : m.visit_not_saved();
}
