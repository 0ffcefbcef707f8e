import type { ReactNode } from "react";
import { BirthDateFold } from "#app/domains/platform/users/components/birth-date-fold.tsx";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import type { SignPreview } from "#app/domains/visit/documents/words.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, SelectField, SubmitButton, TextField } from "#app/ui/form.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { Dock } from "#app/ui/shell.tsx";

type AskedFields = { age: Field; dateOfBirth: Field; gender: Field };
/** Age and gender of a patient of the queue, where they are not known. */
export function PatientAsks({ asks, fields, date }: { asks: { age: boolean; gender: boolean }; fields: AskedFields; date: string }) {
  const { age, dateOfBirth, gender } = fields;
  return (
    <>
      {asks.age && (
        <>
          <TextField field={age} label={m.visit_patient_age()} inputMode="numeric" maxLength={3} />
          <BirthDateFold field={dateOfBirth} label={m.own_birth()} age={age} today={date} />
        </>
      )}
      {asks.gender && (
        <SelectField
          field={gender}
          label={m.visit_patient_gender()}
          placeholder={m.visit_choose()}
          options={GENDERS.map((value) => ({ value, label: genderWord(value) }))}
        />
      )}
    </>
  );
}

/** The preview of a document, then the buttons that show it again and sign it. `children`: what the document says. */
export function ReadAndSign(props: { preview: SignPreview | undefined; review: string; sign: string; children: ReactNode }) {
  const { preview, review, sign, children } = props;
  return (
    <>
      {preview && (
        <section className="card mt-4" aria-labelledby="h-preview" role="status">
          <h2 id="h-preview">{preview.title}</h2>
          {children}
          {preview.words && <p className="whitespace-pre-line">{preview.words}</p>}
          <Facts
            items={[
              [m.visit_patient(), preview.patient],
              [m.visit_signed_by(), preview.doctor],
            ]}
          />
          <p className="text-sm text-ink-soft">{m.certificate_hint()}</p>
          <input type="hidden" name="seen" value={preview.seen} />
        </section>
      )}
      <Dock>
        <SubmitButton name="intent" value="review" size="lg" {...(preview ? { variant: "second" as const } : { full: true })}>
          {preview ? m.certificate_review_again() : review}
        </SubmitButton>
        {preview && (
          <SubmitButton name="intent" value="sign" size="lg">
            {sign}
          </SubmitButton>
        )}
      </Dock>
    </>
  );
}
