import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "#app/domains/platform/files/upload-limits.ts";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, FileField, Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock } from "#app/ui/shell.tsx";

type Fields = { code: string; recordType: string; description: string; date: string; received: string; file: string };

/** The form of a place for the result of an order of tests. `first`: fields before the others. */
export function ResultForm({
  today,
  lastResult,
  first,
}: {
  today: string;
  lastResult: SubmissionResult<string[]> | undefined;
  first?: (code: Field) => ReactNode;
}) {
  const [form, fields] = useNadiForm<Fields>({ id: "result", lastResult, defaultValue: { recordType: "other", date: today } });
  return (
    <Form form={form} encType="multipart/form-data">
      {first?.(fields.code)}
      <DocumentFields
        fields={fields}
        today={today}
        hint={m.result_what_hint()}
        label={m.result_what()}
        fileHint={m.result_file_hint({ megabytes: String(MAX_IMAGE_MB) })}
      />
      <Dock>
        <SubmitButton size="lg" full pendingText={m.records_adding()}>
          {m.order_add_result()}
        </SubmitButton>
      </Dock>
    </Form>
  );
}

/** Name, type, day and file of a document. */
export function DocumentFields(props: {
  fields: Record<"recordType" | "description" | "date" | "received" | "file", Field>;
  today: string;
  label: string;
  hint: string;
  fileHint: string;
}) {
  const { fields, today, label, hint, fileHint } = props;
  // A refused file is not received.
  const received = fields.file.errors
    ? undefined
    : [fields.file.initialValue, fields.received.initialValue].find((id): id is string => typeof id === "string" && id !== "");
  return (
    <>
      <TextField field={fields.description} label={label} hint={hint} maxLength={200} autoComplete="off" required />
      <SelectField
        field={fields.recordType}
        label={m.records_type()}
        options={RECORD_TYPES.map((type) => ({ value: type, label: recordTypeWord(type) }))}
      />
      <TextField field={fields.date} label={m.records_date()} type="date" max={today} />
      {/* Last, so that fields before it arrive when a file is too large. */}
      {received && (
        <>
          <Note>{m.records_received()}</Note>
          <input type="hidden" name="received" value={received} />
        </>
      )}
      <FileField
        field={fields.file}
        label={received ? m.records_file_other() : m.records_file()}
        hint={fileHint}
        accept="image/jpeg,image/png,image/webp,application/pdf"
        optional={Boolean(received)}
        most={MAX_IMAGE_BYTES}
      />
    </>
  );
}
