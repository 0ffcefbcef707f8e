import { useRef } from "react";
import {
  documentToRemove,
  fillProfessional,
  isDocumentKind,
  isSubmitted,
  newPage,
  numbersToHide,
  partOf,
  professionalTypedOf,
  rowsOf,
  writerOf,
} from "#app/domains/credentials/application/application-form.server.ts";
import { DOCUMENT_CHOICES } from "#app/domains/credentials/application/choices.ts";
import { ApplicationDocuments } from "#app/domains/credentials/application/components/application-documents.tsx";
import { Part } from "#app/domains/credentials/application/components/application-part.tsx";
import { EncryptedNumberField } from "#app/domains/credentials/application/components/encrypted-number-field.tsx";
import { FormPart, PartsNav } from "#app/domains/credentials/application/components/form-parts.tsx";
import { LanguagePicks } from "#app/domains/credentials/application/components/language-picks.tsx";
import { PlaceOfWork } from "#app/domains/credentials/application/components/place-of-work.tsx";
import { QualificationRows } from "#app/domains/credentials/application/components/qualification-rows.tsx";
import { COUNCILS } from "#app/domains/credentials/application/councils.ts";
import { addDocument, answerOf, listOwnDocuments, removeDocument } from "#app/domains/credentials/application/documents.server.ts";
import {
  completeParts,
  hospitalStepOf,
  maskedNumber,
  type QualificationTyped,
  shownNumber,
} from "#app/domains/credentials/application/draft.ts";
import { getDraft, saveDraftStep } from "#app/domains/credentials/application/draft-store.server.ts";
import { getApplication } from "#app/domains/credentials/application/own-case.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/credentials/application/steps.ts";
import { professionalFormOn } from "#app/domains/credentials/application/verification.schema.ts";
import { RejectionNote } from "#app/domains/credentials/cases/components/rejection-note.tsx";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { SPECIALTIES } from "#app/domains/directory/specialties.ts";
import { MAX_CERTIFICATES, MAX_IMAGE_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { findPlace, largestCities, searchCities } from "#app/domains/platform/location/queries.server.ts";
import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { askForProof } from "#app/http/proof.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { useAutosave } from "#app/ui/autosave.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { type PageHandle, SheetOf } from "#app/ui/document.tsx";
import { type Field, Form, RadioPicks, SelectField, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/doctor-verification.ts";
import { submitApplication } from "./submit-application.server.ts";

// Three documents and ten certificates at once; photos of a phone have 3 to 8 MB.
export const handle = { uploadMb: 96 } satisfies PageHandle;

/** After a rejection that only requests documents, the page shows only these. This parameter shows the whole form. */
const ALL = "?all";

export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => {
  const { draft, documents, rejected, correction } = await getApplication(ctx);
  if (!hospitalStepOf(draft.steps.hospital)) throw redirectTo(STEP_PATHS.hospital);
  const typed = draft.steps.professional;
  const { languages = [], qualifications, aadhaarNumber = "", panNumber = "", ...values } = typed ?? {};
  const known = typed && (await findPlace(ctx, typed.city, typed.state));
  return {
    version: draft.version,
    page: newPage(),
    rejected,
    correction: url.searchParams.has("all") ? null : correction,
    documents,
    // The fourth part is complete with a document of each kind.
    complete: [
      ...completeParts(typed, todayInIndia(ctx.now)).map((part) => Number(part.slice(-1))),
      ...(DOCUMENT_CHOICES.every((kind) => answerOf(documents, kind)) ? [4] : []),
    ],
    languages,
    rows: rowsOf(qualifications),
    values: {
      category: "General",
      ...values,
      aadhaarNumber: shownNumber("aadhaarNumber", aadhaarNumber),
      panNumber: shownNumber("panNumber", panNumber),
    },
    stored: { aadhaarNumber: maskedNumber("aadhaarNumber", aadhaarNumber), panNumber: maskedNumber("panNumber", panNumber) },
    cities: await largestCities(ctx, 60),
    // Suggestions for a typed city that is not in the list with its state.
    places: typed && !known ? await searchCities(ctx, typed.city) : [],
    searched: Boolean(typed?.city.trim()) && !known,
    today: todayInIndia(ctx.now),
  };
});

export async function action({ context, request, url }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const hide: string[] = [];
  const here = STEP_PATHS.professional + (url.searchParams.has("all") ? ALL : "");
  return submitForm(
    request,
    professionalFormOn(todayInIndia(ctx.now)),
    async (input, formData) => {
      if (isSubmitted(formData)) return submitApplication(ctx, writerOf(formData));
      return redirectTo(input.intent === "continue" ? STEP_PATHS.bank : here + partOf(formData));
    },
    {
      hide,
      unproven: askForProof(request),
      uploads: {
        field: DOCUMENT_CHOICES,
        maxFiles: DOCUMENT_CHOICES.length - 1 + MAX_CERTIFICATES,
        maxFileSize: 2 * MAX_IMAGE_BYTES,
        onFile: async ({ bytes, fieldName }) => {
          if (!isDocumentKind(fieldName)) throw new DomainError("invalid");
          await addDocument(ctx, { kind: fieldName, bytes });
          return fieldName;
        },
      },
      // Stores the typed values and received files first, also if the form is refused.
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

type Data = Route.ComponentProps["loaderData"];
type Fields = Record<keyof Route.ComponentProps["loaderData"]["values"] | (typeof DOCUMENT_CHOICES)[number], string> & {
  aadhaarNumber: string;
  panNumber: string;
  languages: string[];
  qualifications: { degree: string; universityCollege: string; year: string }[];
};

type Posted = { languages?: string | string[]; qualifications?: QualificationTyped[] } | undefined;
/** The parts are functions, not components, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
type PartProps = { fields: Record<keyof Fields, Field> };

export default function DoctorVerification({ loaderData, actionData }: Route.ComponentProps) {
  const { version, page, rejected, correction, documents, values } = loaderData;
  const result = actionData?.result;
  const [form, fields] = useNadiForm<Fields>({ id: "professional", lastResult: result, defaultValue: values, isDraft: true });
  const turn = useRef<HTMLInputElement>(null);
  useAutosave("professional", turn);
  // After a refusal the form has the posted values, also when another tab's version was stored.
  const posted = result?.initialValue as Posted;
  return (
    <Page
      wizard
      title={m.application_step_of({ step: "2" })}
      titleAs="p"
      back={{ to: STEP_PATHS.hospital, label: m.application_back_to_hospital() }}
    >
      <SheetOf audience="staff" />
      <Steps label={m.application_steps()} steps={applicationSteps()} current={1} />
      <h1 className="mt-4">{correction ? m.application_correct_title() : m.application_professional_title()}</h1>
      <p className="text-ink-soft mb-3">{correction ? m.application_correct_prompt() : m.application_professional_prompt()}</p>
      <RejectionNote rejected={rejected} />
      {!correction && <PartsNav complete={loaderData.complete} />}
      <Form
        form={form}
        encType="multipart/form-data"
        // Counts posts of this page: a slow upload must not overwrite a later post.
        onSubmitCapture={() => {
          if (turn.current) turn.current.value = String(Number(turn.current.value) + 1);
        }}
      >
        {/* Enter presses the first button of a form. */}
        <button
          type="submit"
          name="intent"
          value={correction ? "submit" : "continue"}
          className="sr-only"
          tabIndex={-1}
          aria-hidden="true"
        />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="turn" ref={turn} />

        {!correction && allParts({ data: loaderData, fields, errors: form.allErrors, posted })}
        {correction && <ApplicationDocuments documents={documents} kinds={correction} fields={fields} page={page} />}

        <Dock>
          <Submit isCorrection={correction !== null} />
        </Dock>
      </Form>
    </Page>
  );
}

const allParts = ({ data, fields, errors, posted }: PartProps & { data: Data; errors: Record<string, string[]>; posted: Posted }) => (
  <>
    {personalPart({ fields, today: data.today })}
    <FormPart n={2}>
      {registrationPart({ fields })}

      {practicePart({ fields })}
    </FormPart>
    <FormPart n={3}>
      <QualificationRows rows={posted?.qualifications ?? data.rows} errors={errors} />
      <LanguagePicks chosen={[posted?.languages ?? data.languages].flat()} error={fields.languages.errors} />
      <PlaceOfWork city={fields.city} state={fields.state} cities={data.cities} places={data.places} searched={data.searched} />
    </FormPart>
    <FormPart n={4}>
      {numbersPart({ fields, stored: data.stored })}
      <ApplicationDocuments documents={data.documents} fields={fields} page={data.page} />
    </FormPart>
  </>
);

const Submit = ({ isCorrection }: { isCorrection: boolean }) =>
  isCorrection ? (
    <>
      <LinkButton to={ALL} variant="quiet">
        {m.application_correct_other()}
      </LinkButton>
      <SubmitButton name="intent" value="submit" size="lg" className="grow" pendingText={m.application_submitting()}>
        {m.application_submit()}
      </SubmitButton>
    </>
  ) : (
    <SubmitButton name="intent" value="continue" size="lg" full pendingText={m.application_processing()}>
      {m.application_next_bank()}
    </SubmitButton>
  );

const personalPart = ({ fields, today }: PartProps & Pick<Data, "today">) => (
  <FormPart n={1}>
    <Part title={m.application_part_personal()}>
      <TextField field={fields.fullName} label={m.application_full_name()} autoComplete="name" maxLength={MAX_LINE} required />
      <RadioPicks field={fields.gender} label={m.application_gender()} columns options={genderOptions()} />
      <TextField field={fields.dateOfBirth} label={m.application_birth()} type="date" autoComplete="bday" max={today} required />
    </Part>
  </FormPart>
);

const registrationPart = ({ fields }: PartProps) => (
  <Part title={m.application_part_registration()}>
    <TextField
      field={fields.medicalCouncilRegistrationNumber}
      label={m.application_council_number()}
      autoCapitalize="characters"
      maxLength={60}
      required
    />
    <TextField field={fields.medicalCouncilName} label={m.application_council_name()} list="councils" maxLength={MAX_LINE} required />
    <datalist id="councils">
      {COUNCILS.map((council) => (
        <option key={council} value={council} />
      ))}
    </datalist>
    <TextField field={fields.yearOfRegistration} label={m.application_council_year()} inputMode="numeric" maxLength={4} required />
  </Part>
);

const practicePart = ({ fields }: PartProps) => (
  <Part title={m.application_part_practice()}>
    <TextField field={fields.primarySpecialization} label={m.application_specialization()} maxLength={MAX_LINE} required />
    <TextField field={fields.additionalSpecializations} label={m.application_more_specializations()} optional maxLength={300} />
    <SelectField
      field={fields.category}
      label={m.application_category()}
      options={SPECIALTIES.map((value) => ({ value, label: specialtyWord(value) }))}
    />
    <TextField field={fields.experienceYears} label={m.application_experience()} inputMode="numeric" maxLength={2} required />
    <TextField
      field={fields.consultationFee}
      label={m.application_fee()}
      hint={m.application_fee_hint()}
      inputMode="decimal"
      maxLength={12}
      required
    />
    <TextArea field={fields.about} label={m.application_about()} hint={m.application_about_hint()} maxLength={3000} rows={4} required />
  </Part>
);

const numbersPart = ({ fields, stored }: PartProps & Pick<Data, "stored">) => (
  <Part title={m.application_part_numbers()} id="numbers">
    <EncryptedNumberField
      field={fields.aadhaarNumber}
      label={m.application_aadhaar()}
      hint={m.application_aadhaar_hint()}
      stored={stored.aadhaarNumber}
      inputMode="numeric"
      maxLength={20}
    />
    <EncryptedNumberField
      field={fields.panNumber}
      label={m.application_pan()}
      hint={m.application_pan_hint()}
      stored={stored.panNumber}
      autoCapitalize="characters"
      maxLength={10}
    />
    <p className="row text-sm text-ink-soft items-start">
      <Icon name="lock" small />
      <span>{m.application_numbers_sealed()}</span>
    </p>
  </Part>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.application_professional_title() }) }];
