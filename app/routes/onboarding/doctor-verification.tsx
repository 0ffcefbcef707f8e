import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { languageWord, specialtyWord } from "#app/domains/doctors/names.ts";
import { SPECIALTIES } from "#app/domains/doctors/specialties.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/files/images.ts";
import { findPlace, largestCities, searchCities } from "#app/domains/location/queries.server.ts";
import { STATES } from "#app/domains/location/states.ts";
import { genderOptions } from "#app/domains/users/gender.ts";
import {
  documentToRemove,
  fillProfessional,
  isDocumentKind,
  newPage,
  numbersToHide,
  partOf,
  professionalTypedOf,
  rowsOf,
  writerOf,
} from "#app/domains/verification/application-form.server.ts";
import { LANGUAGE_CHOICES, MAX_CERTIFICATES, MAX_QUALIFICATIONS } from "#app/domains/verification/choices.ts";
import { RejectionNote } from "#app/domains/verification/components/rejection-note.tsx";
import { COUNCILS } from "#app/domains/verification/councils.ts";
import { addDocument, listOwnDocuments, type OwnDocument, removeDocument } from "#app/domains/verification/documents.server.ts";
import { hospitalStepOf, maskedNumber, type QualificationTyped, shownNumber } from "#app/domains/verification/draft.ts";
import { getDraft, saveDraftStep } from "#app/domains/verification/draft-store.server.ts";
import { getApplication } from "#app/domains/verification/own-case.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/verification/steps.ts";
import { professionalFormOn } from "#app/domains/verification/verification.schema.ts";
import { documentWord } from "#app/domains/verification/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireDraftDoctor, requireRole } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { type Field, FieldError, Form, RadioPicks, SelectField, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/doctor-verification.ts";

export const handle = { desk: true };
export const middleware = [requireRole("doctor"), requireDraftDoctor];

const IMAGE_KINDS = ["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates"] as const;
type ImageKind = (typeof IMAGE_KINDS)[number];

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { draft, documents, rejected } = await getApplication(ctx);
  if (!hospitalStepOf(draft.steps.hospital)) throw redirectTo(STEP_PATHS.hospital);
  const typed = draft.steps.professional;
  const { languages = [], qualifications, aadhaarNumber = "", panNumber = "", ...values } = typed ?? {};
  const known = typed && (await findPlace(ctx, typed.city, typed.state));
  return {
    version: draft.version,
    page: newPage(),
    rejected,
    documents,
    languages,
    rows: rowsOf(qualifications),
    values: {
      category: "General",
      ...values,
      aadhaarNumber: shownNumber("aadhaarNumber", aadhaarNumber),
      panNumber: shownNumber("panNumber", panNumber),
    },
    kept: { aadhaarNumber: maskedNumber("aadhaarNumber", aadhaarNumber), panNumber: maskedNumber("panNumber", panNumber) },
    cities: await largestCities(ctx, 60),
    // What the written city may mean, until it is one of the list with its state.
    places: typed && !known ? await searchCities(ctx, typed.city) : [],
    searched: Boolean(typed?.city.trim()) && !known,
    today: todayInIndia(ctx.now),
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const hide: string[] = [];
  return submitForm(
    request,
    professionalFormOn(todayInIndia(ctx.now)),
    async (input, formData) => redirectTo(input.intent === "continue" ? STEP_PATHS.bank : `${STEP_PATHS.professional}${partOf(formData)}`),
    {
      hide,
      uploads: {
        field: IMAGE_KINDS,
        maxFiles: IMAGE_KINDS.length - 1 + MAX_CERTIFICATES,
        maxFileSize: 2 * MAX_IMAGE_BYTES,
        onFile: async ({ bytes, fieldName }) => {
          if (!isDocumentKind(fieldName)) throw new DomainError("invalid");
          await addDocument(ctx, { kind: fieldName, bytes });
          return fieldName;
        },
      },
      // Whatever becomes of the form, what was typed and received is kept first.
      prepare: async (formData) => {
        const removed = documentToRemove(formData);
        if (removed) await removeDocument(ctx, removed);
        const { steps } = await getDraft(ctx);
        const typed = await professionalTypedOf(ctx, formData, steps.professional);
        const writer = writerOf(formData);
        fillProfessional(formData, typed, await listOwnDocuments(ctx));
        try {
          await saveDraftStep(ctx, "professional", writer, typed);
        } catch (error) {
          if (error instanceof DomainError && error.code === "conflict") return error;
          throw error;
        }
        hide.push(...numbersToHide(typed));
      },
    },
  );
}

/** Documents that came with a refused form are received all the same, and shown. */
export const shouldRevalidate = () => true;

type Fields = Record<keyof Route.ComponentProps["loaderData"]["values"] | ImageKind, string> & {
  aadhaarNumber: string;
  panNumber: string;
  languages: string[];
  qualifications: { degree: string; universityCollege: string; year: string }[];
};

export default function DoctorVerification({ loaderData, actionData }: Route.ComponentProps) {
  const { version, page, rejected, documents, values, kept, today } = loaderData;
  const result = actionData?.result;
  const [form, fields] = useNadiForm<Fields>({ id: "professional", lastResult: result, defaultValue: values });
  useTurns(form.id);
  // After a refusal what was posted stands in the form, also when another window's version was kept.
  const posted = result?.initialValue as { languages?: string | string[]; qualifications?: QualificationTyped[] } | undefined;
  return (
    <Page
      wizard
      title={m.verification_step_of({ step: "2" })}
      titleAs="p"
      back={{ to: STEP_PATHS.hospital, label: m.verification_back_to_hospital() }}
    >
      <Steps label={m.verification_steps()} steps={applicationSteps()} current={1} />
      <h1 className="section tight">{m.verification_professional_title()}</h1>
      <p className="soft mb">{m.verification_professional_prompt()}</p>
      <RejectionNote rejected={rejected} />
      <Form form={form} encType="multipart/form-data" className="long">
        {/* The first button of a form is the one the Enter key presses. */}
        <button type="submit" name="intent" value="continue" className="vh" tabIndex={-1} aria-hidden="true" />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />

        <Part title={m.verification_part_personal()}>
          <TextField field={fields.fullName} label={m.verification_full_name()} autoComplete="name" maxLength={120} required />
          <RadioPicks field={fields.gender} label={m.verification_gender()} columns options={genderOptions()} />
          <TextField field={fields.dateOfBirth} label={m.verification_birth()} type="date" autoComplete="bday" max={today} required />
        </Part>

        <Part title={m.verification_part_registration()}>
          <TextField
            field={fields.medicalCouncilRegistrationNumber}
            label={m.verification_council_number()}
            autoCapitalize="characters"
            maxLength={60}
            required
          />
          <TextField field={fields.medicalCouncilName} label={m.verification_council_name()} list="councils" maxLength={120} required />
          <datalist id="councils">
            {COUNCILS.map((council) => (
              <option key={council} value={council} />
            ))}
          </datalist>
          <TextField field={fields.yearOfRegistration} label={m.verification_council_year()} inputMode="numeric" maxLength={4} required />
        </Part>

        <Part title={m.verification_part_practice()}>
          <TextField field={fields.primarySpecialization} label={m.verification_specialization()} maxLength={120} required />
          <TextField field={fields.additionalSpecializations} label={m.verification_more_specializations()} optional maxLength={300} />
          <SelectField
            field={fields.category}
            label={m.verification_category()}
            options={SPECIALTIES.map((value) => ({ value, label: specialtyWord(value) }))}
          />
          <TextField field={fields.experienceYears} label={m.verification_experience()} inputMode="numeric" maxLength={2} required />
          <TextField
            field={fields.consultationFee}
            label={m.verification_fee()}
            hint={m.verification_fee_hint()}
            inputMode="decimal"
            maxLength={12}
            required
          />
          <TextArea
            field={fields.about}
            label={m.verification_about()}
            hint={m.verification_about_hint()}
            maxLength={3000}
            rows={4}
            required
          />
        </Part>

        <Qualifications rows={posted?.qualifications ?? loaderData.rows} errors={form.allErrors} />
        <Languages chosen={[posted?.languages ?? loaderData.languages].flat()} error={fields.languages.errors} />
        <PlaceOfWork
          city={fields.city}
          state={fields.state}
          cities={loaderData.cities}
          places={loaderData.places}
          searched={loaderData.searched}
        />

        <Part title={m.verification_part_numbers()} id="numbers">
          <KeptNumberField
            field={fields.aadhaarNumber}
            label={m.verification_aadhaar()}
            hint={m.verification_aadhaar_hint()}
            kept={kept.aadhaarNumber}
            inputMode="numeric"
            maxLength={20}
          />
          <KeptNumberField
            field={fields.panNumber}
            label={m.verification_pan()}
            hint={m.verification_pan_hint()}
            kept={kept.panNumber}
            autoCapitalize="characters"
            maxLength={12}
          />
          <p className="row small soft top-al">
            <Icon name="lock" small />
            <span>{m.verification_numbers_sealed()}</span>
          </p>
        </Part>

        <Documents documents={documents} fields={fields} page={page} />

        <Dock>
          <SubmitButton name="intent" value="continue" size="lg" full pendingText={m.verification_processing()}>
            {m.verification_next_bank()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

/** Counts this page's posts: a picture that takes long must not write over what was posted while it was on its way. */
function useTurns(formId: string) {
  useEffect(() => {
    const form = document.getElementById(formId);
    let turn = 0;
    const count = (event: Event) => (event as FormDataEvent).formData.set("turn", String(++turn));
    form?.addEventListener("formdata", count);
    return () => form?.removeEventListener("formdata", count);
  }, [formId]);
}

function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="section part" id={id} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Rows that are added and removed by posts: each keeps its key, so that what is typed in the others stays. */
function Qualifications({ rows, errors }: { rows: QualificationTyped[]; errors: Record<string, string[]> }) {
  return (
    <Part title={m.verification_part_qualifications()} id="qualifications">
      <FieldError field={{ errors: errors.qualifications, errorId: "professional-qualifications-error" }} />
      <ol className="rowset" id="professional-qualifications">
        {rows.map((row, i) => (
          <li key={row.key} className="card">
            <fieldset>
              <legend className="vh">{m.verification_qualification_n({ n: String(i + 1) })}</legend>
              <input type="hidden" name={`qualifications[${i}].key`} value={row.key} />
              <RowField
                row={i}
                name="degree"
                label={m.verification_degree()}
                value={row.degree}
                errors={errors}
                optional={i > 0}
                maxLength={120}
              />
              <RowField
                row={i}
                name="universityCollege"
                label={m.verification_college()}
                value={row.universityCollege}
                errors={errors}
                optional
                maxLength={200}
              />
              <RowField
                row={i}
                name="year"
                label={m.verification_qualification_year()}
                value={row.year}
                errors={errors}
                optional
                inputMode="numeric"
                maxLength={4}
              />
              {rows.length > 1 && (
                <Button
                  type="submit"
                  variant="quiet"
                  size="sm"
                  icon="trash-2"
                  name="intent"
                  value={`remove-qualification:${row.key}`}
                  className="flush"
                  aria-label={m.verification_qualification_remove_n({ n: String(i + 1) })}
                >
                  {m.verification_remove()}
                </Button>
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {rows.length < MAX_QUALIFICATIONS && (
        <Button type="submit" variant="second" size="sm" icon="plus" name="intent" value="add-qualification">
          {m.verification_qualification_add()}
        </Button>
      )}
    </Part>
  );
}

type RowFieldProps = {
  row: number;
  name: "degree" | "universityCollege" | "year";
  label: string;
  value: string | undefined;
  errors: Record<string, string[]>;
  optional?: boolean;
};
function RowField({ row, name, label, value, errors, optional, ...rest }: RowFieldProps & { inputMode?: "numeric"; maxLength: number }) {
  const path = `qualifications[${row}].${name}`;
  const id = `professional-${path}`;
  const wrong = errors[path];
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label} {optional && <span className="opt">{m.ui_optional()}</span>}
      </label>
      <input
        {...rest}
        className="input"
        id={id}
        name={path}
        defaultValue={value ?? ""}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
      />
      <FieldError field={{ errors: wrong, errorId: `${id}-error` }} />
    </div>
  );
}

function Languages({ chosen, error }: { chosen: string[]; error: string[] | undefined }) {
  const known: readonly string[] = LANGUAGE_CHOICES;
  return (
    <Part title={m.verification_part_languages()}>
      <fieldset className="field" id="professional-languages" tabIndex={-1}>
        <legend className="vh">{m.verification_part_languages()}</legend>
        <div className="picks langs">
          {LANGUAGE_CHOICES.map((language) => (
            <label key={language} className="pick">
              <input type="checkbox" name="languages" value={language} defaultChecked={chosen.includes(language)} />
              <span>{languageWord(language)}</span>
            </label>
          ))}
        </div>
        <FieldError field={{ errors: error, errorId: "professional-languages-error" }} />
      </fieldset>
      <div className="field">
        <label className="label" htmlFor="other-languages">
          {m.verification_other_languages()} <span className="opt">{m.ui_optional()}</span>
        </label>
        <input
          className="input"
          id="other-languages"
          name="otherLanguages"
          maxLength={300}
          defaultValue={chosen.filter((language) => !known.includes(language)).join(", ")}
          placeholder={m.verification_other_languages_hint()}
        />
      </div>
    </Part>
  );
}

type City = { id: number; name: string; state: string; displayName: string };

/** The city as the list writes it brings its state; without JavaScript the server puts it there. */
function PlaceOfWork({
  city,
  state,
  cities,
  places,
  searched,
}: {
  city: Field;
  state: Field;
  cities: City[];
  places: City[];
  searched: boolean;
}) {
  // The fields are the browser's: what the server would put there is put there at once.
  const put = (place: City | undefined) => {
    for (const [field, value] of [
      [city, place?.name],
      [state, place?.state],
    ] as const) {
      const input = document.getElementById(field.id);
      if (value !== undefined && input instanceof HTMLInputElement) input.value = value;
    }
  };
  return (
    <Part title={m.verification_part_place()} id="place">
      <TextField
        field={city}
        label={m.verification_city()}
        hint={m.verification_city_hint()}
        list="cities"
        autoComplete="address-level2"
        maxLength={80}
        onInput={(event) => put(cities.find((c) => c.displayName === event.currentTarget.value))}
        required
      />
      <datalist id="cities">
        {cities.map((c) => (
          <option key={c.id} value={c.displayName} />
        ))}
      </datalist>
      {places.length > 0 && (
        <div className="field">
          <p className="small soft">{m.verification_city_which()}</p>
          <p className="row wrap">
            {places.map((place) => (
              <Button
                key={place.id}
                type="submit"
                variant="second"
                size="sm"
                name="intent"
                value={`place:${place.id}`}
                onClick={() => put(place)}
              >
                {place.displayName}
              </Button>
            ))}
          </p>
        </div>
      )}
      {searched && places.length === 0 && <p className="small soft">{m.verification_city_unknown()}</p>}
      <Button type="submit" variant="quiet" size="sm" icon="search" name="intent" value="find-city" className="flush">
        {m.verification_city_find()}
      </Button>
      <TextField field={state} label={m.verification_state()} list="states" autoComplete="address-level1" maxLength={80} required />
      <datalist id="states">
        {STATES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Part>
  );
}

/** A number that is kept sealed is not shown again: an empty field keeps it. */
function KeptNumberField({ kept, hint, ...rest }: Parameters<typeof TextField>[0] & { kept: string | null }) {
  const empty = () => {
    const input = document.getElementById(rest.field.id);
    if (input instanceof HTMLInputElement) input.value = "";
  };
  return (
    <>
      <TextField
        {...rest}
        optional
        autoComplete="off"
        spellCheck={false}
        hint={kept ? m.verification_number_kept({ number: kept }) : hint}
      />
      {kept && (
        <Button
          type="submit"
          variant="quiet"
          size="sm"
          icon="trash-2"
          name="intent"
          value={`clear:${rest.field.name}`}
          className="flush"
          onClick={empty}
        >
          {m.verification_number_remove({ name: String(rest.label) })}
        </Button>
      )}
    </>
  );
}

/** What was received, and the boxes for what is missing. Last in the form: what stands before it survives a file that is far too large. */
function Documents({ documents, fields, page }: { documents: OwnDocument[]; fields: Record<ImageKind, Field>; page: string }) {
  const upload = useRef<HTMLButtonElement>(null);
  return (
    <Part title={m.verification_part_documents()} id="documents">
      <p className="small soft">{m.verification_documents_hint({ megabytes: String(MAX_IMAGE_BYTES / 1024 / 1024) })}</p>
      <ul className="docs">
        {IMAGE_KINDS.map((kind) => {
          const received = documents.filter((document) => document.kind === kind);
          const many = kind === "qualificationCertificates";
          const field = fields[kind];
          const full = many && received.length >= MAX_CERTIFICATES;
          return (
            <li key={kind}>
              <h3>{documentWord(kind)}</h3>
              {received.map((document, i) => (
                <Received key={document.id} document={document} name={many ? `${documentWord(kind)} ${i + 1}` : documentWord(kind)} />
              ))}
              {!full && (
                <div className="field">
                  <label className="label" htmlFor={field.id}>
                    {received.length === 0
                      ? m.verification_document_choose()
                      : many
                        ? m.verification_document_add()
                        : m.verification_document_replace()}
                    <span className="vh"> {documentWord(kind)}</span>
                  </label>
                  {/* A new box after each post: the browser would send the chosen file again. */}
                  <input
                    key={page}
                    className="input filebox"
                    type="file"
                    id={field.id}
                    name={kind}
                    multiple={many}
                    accept="image/jpeg,image/png,image/webp,image/*"
                    aria-invalid={field.errors ? true : undefined}
                    aria-describedby={field.errors ? field.errorId : undefined}
                    onChange={(event) => event.currentTarget.files?.length && upload.current?.click()}
                  />
                </div>
              )}
              <FieldError field={field} />
            </li>
          );
        })}
      </ul>
      <Button ref={upload} type="submit" variant="second" icon="upload" name="intent" value="upload">
        {m.verification_documents_upload()}
      </Button>
    </Part>
  );
}

function Received({ document, name }: { document: OwnDocument; name: string }) {
  return (
    <div className="docrow received">
      <Link
        to={`/files/${document.fileId}`}
        reloadDocument
        target="_blank"
        rel="noopener"
        className="thumb"
        aria-label={m.verification_document_open({ name })}
      >
        <img
          src={`/files/${document.fileId}`}
          alt={name}
          width={document.width ?? undefined}
          height={document.height ?? undefined}
          loading="lazy"
          decoding="async"
        />
      </Link>
      <div className="grow stack-s">
        <p className="row wrap">
          <Icon name="circle-check" small />
          <b>{m.verification_document_received()}</b>
          <small className="soft">{sizeWord(document.byteSize)}</small>
        </p>
        {document.askedAgain !== null && (
          <p className="err">
            <Icon name="circle-alert" small />
            <span>{m.verification_document_asked_again({ reason: document.askedAgain })}</span>
          </p>
        )}
        <Button
          type="submit"
          variant="quiet"
          size="sm"
          icon="trash-2"
          name="intent"
          value={`remove-document:${document.id}`}
          className="flush"
          aria-label={m.verification_document_remove({ name })}
        >
          {m.verification_remove()}
        </Button>
      </div>
    </div>
  );
}

const sizeWord = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.verification_professional_title() }) }];
