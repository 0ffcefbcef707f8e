import { useState } from "react";
import type { DraftLine } from "#app/db/schema/index.ts";
import { language } from "#app/lib/language.ts";
import { FOOD_TIMES, MEDICINE_FORMS, MEDICINE_ROUTES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { LINE_FIELDS } from "../encounters/draft.ts";
import { doseSentence, unitWord } from "../medicines/dose-sentence.ts";
import { formOf, readLine, spreadLine, USUAL } from "../medicines/line.ts";
import { foodWord, formWord, routeWord } from "../medicines/words.ts";
import { type FieldErrors, VisitCheck, VisitInput, VisitSelect } from "./visit-field.tsx";

/** Fields of a visit in two columns. */
export const NOTE_FIELDS = "grid gap-x-4 gap-y-3 desktop:grid-cols-2";

const PARTS = Object.keys(LINE_FIELDS) as (keyof DraftLine)[];
const MORE = ["brand", "route", "every", "quantity", "words"] as const;

/** The sentence of a complete medicine; null for an incomplete one. */
const sentenceOf = (line: DraftLine): string | null => {
  const read = readLine(spreadLine(line));
  return read.problems ? null : doseSentence(read.line, language());
};

type Props = { line: DraftLine; n: number; errors: FieldErrors; onName: () => void };

/**
 * The fields of one medicine, folded below its sentence when it is complete. With scripts the sentence follows what is typed. The rarer fields
 * are folded too, unless one is filled in or wrong.
 */
export function MedicineFields({ line, n, errors, onName }: Props) {
  const [typed, setTyped] = useState(line);
  const sentence = sentenceOf(typed);
  const [isOpen] = useState(sentence === null || PARTS.some((part) => errors[LINE_FIELDS[part](n)]));
  const unit = unitWord(formOf(typed.form), language());
  const follow = ({ currentTarget }: { currentTarget: HTMLFieldSetElement }) => {
    const form = currentTarget.closest("form");
    if (!form) return;
    const data = new FormData(form);
    setTyped(Object.fromEntries(PARTS.map((part) => [part, String(data.get(LINE_FIELDS[part](n)) ?? "")])) as DraftLine);
  };
  return (
    <fieldset
      className="min-w-0 border-t border-line py-3 [&_.input]:min-h-target [&_.input]:px-2.5 [&_.input]:py-1 [&_.label]:mb-0.5 [&_.label]:text-sm [&_.label]:font-medium [&_select.input]:bg-position-[right_0.25rem_center] [&_select.input]:pr-7"
      onInput={follow}
    >
      <legend className="sr-only">{m.visit_medicine({ n })}</legend>
      <details className="group/line scroll-mt-20" open={isOpen}>
        <MedicineSummary n={n} typed={typed} sentence={sentence} />
        <DoseFields n={n} line={line} errors={errors} onName={onName} />
        {unit && (
          <p className="mt-1 text-sm" aria-live="polite">
            {m.visit_dose_unit()} <b>{unit}</b>
          </p>
        )}
        <MoreFields n={n} line={line} errors={errors} />
        <MedicineButtons n={n} name={line.name} />
      </details>
    </fieldset>
  );
}

function MedicineSummary({ n, typed, sentence }: { n: number; typed: DraftLine; sentence: string | null }) {
  return (
    <summary className="flex min-h-target items-center gap-3 py-2 font-normal text-ink">
      <span className="grow">
        {typed.name.trim() ? <b className="uppercase">{typed.name}</b> : <b>{m.visit_medicine({ n })}</b>} {typed.strength}
        <span className="text-sm text-ink-soft block group-open/line:hidden">{sentence ?? m.visit_incomplete()}</span>
      </span>{" "}
      <span className="font-bold text-brand underline" aria-hidden="true">
        <span className="group-open/line:hidden">{m.visit_change()}</span>{" "}
        <span className="hidden group-open/line:inline">{m.visit_fold()}</span>
      </span>
    </summary>
  );
}

/** Returns the properties of a field of the medicine. */
const fieldOf =
  ({ line, n, errors }: Omit<Props, "onName">) =>
  (part: keyof DraftLine) => ({ name: LINE_FIELDS[part](n), errors, defaultValue: line[part] });

function DoseFields({ onName, ...medicine }: Props) {
  const at = fieldOf(medicine);
  const dose = [
    ["morning", m.visit_morning()],
    ["noon", m.visit_noon()],
    ["evening", m.visit_evening()],
    ["night", m.visit_night()],
  ] as const;
  return (
    <div className="grid grid-cols-[repeat(4,minmax(0,1fr))] items-end gap-y-2.5 gap-x-2 @min-[34rem]:grid-cols-[repeat(12,minmax(0,1fr))] @min-[50rem]:grid-cols-[minmax(0,1fr)_6rem_7rem_repeat(4,3.75rem)_6.5rem_3.75rem] @min-[50rem]:gap-1.5 @min-[50rem]:*:col-[auto]">
      <VisitInput
        className="col-span-full @min-[34rem]:col-span-6"
        label={m.visit_generic()}
        list="generic-names"
        onFocus={onName}
        {...at("name")}
      />
      <VisitInput className="col-span-2 @min-[34rem]:col-span-3" label={m.visit_strength()} {...at("strength")} />
      <VisitSelect
        className="col-span-2 @min-[34rem]:col-span-3"
        label={m.visit_form()}
        options={MEDICINE_FORMS.map((form) => [form, formWord(form)] as const)}
        {...at("form")}
      />
      {dose.map(([part, label]) => (
        <VisitInput
          key={part}
          className="@min-[34rem]:col-span-2 [&_.input]:text-center [&_.input]:font-bold"
          label={label}
          // The number pad of an iPhone has no "-": the first takes "1-0-1", too.
          inputMode={part === "morning" ? "text" : "decimal"}
          placeholder="0"
          {...at(part)}
        />
      ))}
      <VisitSelect
        className="col-span-2"
        label={m.visit_food()}
        options={FOOD_TIMES.map((food) => [food, foodWord(food)] as const)}
        {...at("food")}
      />
      <VisitInput className="col-span-2" label={m.visit_days()} inputMode="numeric" {...at("days")} />
    </div>
  );
}

/** True if one of the rarer fields is filled in or wrong. */
const hasMore = ({ line, n, errors }: Omit<Props, "onName">) =>
  line.asNeeded === "on" ||
  line.substitution !== "on" ||
  line.brand !== "" ||
  line.words !== "" ||
  line.quantity !== "" ||
  (line.route !== "mouth" && line.route !== USUAL[formOf(line.form)]) ||
  line.every !== "1" ||
  MORE.some((part) => errors[LINE_FIELDS[part](n)]);

function MoreFields(medicine: Omit<Props, "onName">) {
  const { line, n } = medicine;
  const at = fieldOf(medicine);
  return (
    <details open={hasMore(medicine)}>
      <summary className="min-h-target py-2">{m.visit_more()}</summary>
      <div className={NOTE_FIELDS}>
        <VisitInput label={m.visit_brand()} optional {...at("brand")} />
        <VisitSelect
          label={m.visit_route()}
          options={MEDICINE_ROUTES.map((route) => [route, routeWord(route)] as const)}
          {...at("route")}
        />
        <VisitInput label={m.visit_every()} inputMode="numeric" {...at("every")} />
        <VisitInput label={m.visit_quantity()} optional inputMode="numeric" {...at("quantity")} />
        <VisitInput className="desktop:col-span-full" label={m.visit_words()} optional {...at("words")} />
        <div className="desktop:col-span-full flex flex-wrap gap-2">
          <VisitCheck name={LINE_FIELDS.asNeeded(n)} label={m.visit_as_needed()} checked={line.asNeeded === "on"} />
          <VisitCheck name={LINE_FIELDS.substitution(n)} label={m.visit_substitution()} checked={line.substitution === "on"} />
        </div>
      </div>
    </details>
  );
}

function MedicineButtons({ n, name }: { n: number; name: string }) {
  return (
    <div className="row flex-wrap">
      <Button type="submit" variant="quiet" size="sm" className="pl-0 self-start" name="remove" value={n}>
        {m.visit_remove()}
        <span className="sr-only"> {name || m.visit_medicine({ n })}</span>
      </Button>
      <Button type="submit" variant="quiet" size="sm" name="star" value={n}>
        {m.visit_star()}
        <span className="sr-only"> {name || m.visit_medicine({ n })}</span>
      </Button>
    </div>
  );
}
