import { useRef } from "react";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB, MAX_RECORDS, sizeWord } from "#app/domains/platform/files/upload-limits.ts";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { type Field, FileField, SubmitButton } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { ErrorText, Optional } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { DraftRecord } from "../choices.ts";
import { recordTypeWord } from "../words.ts";

/** A document of the draft. `isForChosen`: it is attached to this appointment. */
type FormRecord = DraftRecord & { isForChosen: boolean };

type Props = {
  records: FormRecord[];
  field: Field;
  error: string[] | undefined;
  isRefused: boolean;
};

/**
 * Documents received so far with type and description, and the upload. Last in the form, so that fields before it arrive when a
 * file is too large. With JavaScript the upload begins when files are chosen; its button appears while it runs, and to try again
 * (`isRefused`: the form came back).
 */
export function BookingDocuments({ records, field, error, isRefused }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const isAutomatic = useHydrated() && !isRefused;
  const indexed = records.map((record, i) => ({ record, i }));
  const others = indexed.filter(({ record }) => !record.isForChosen);
  return (
    <fieldset className="field">
      <legend>{m.appointments_documents()}</legend>
      {error && (
        <ErrorText>
          <Icon name="circle-alert" small />
          {error.join(" ")}
        </ErrorText>
      )}
      <ReceivedDocuments records={indexed.filter(({ record }) => record.isForChosen)} />
      {others.length > 0 && (
        <>
          <p className="text-sm text-ink-soft mt-2">{m.appointments_documents_of_others()}</p>
          <ReceivedDocuments records={others} />
        </>
      )}
      {records.length < MAX_RECORDS && (
        // {/* A new key resets the input after an upload. Otherwise the browser would send the chosen files again. */}
        <div className="[&>*+*]:mt-3 [&_.label]:text-sm" key={records.length}>
          <NewDocumentDetails />
          <FileField
            field={field}
            label={m.appointments_documents_add()}
            hint={m.appointments_documents_hint({ megabytes: MAX_IMAGE_MB })}
            multiple
            accept="image/jpeg,image/png,image/webp,image/*,application/pdf,.pdf"
            most={MAX_IMAGE_BYTES}
            onChoose={(input) => input.files?.length && add.current?.click()}
          />
          <SubmitButton
            ref={add}
            variant="second"
            size="sm"
            icon="upload"
            name="intent"
            value="add"
            className={isAutomatic ? "[&:not([aria-busy])]:hidden" : undefined}
            pendingText={m.appointments_documents_uploading()}
          >
            {m.appointments_documents_upload()}
          </SubmitButton>
        </div>
      )}
    </fieldset>
  );
}

const NewDocumentDetails = () => (
  <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.25rem),1fr))] gap-3 items-end">
    <p>
      <label className="label" htmlFor="new-type">
        {m.appointments_document_kind()}
      </label>
      <select className="input" id="new-type" name="newRecordType" defaultValue="other">
        {RECORD_TYPES.map((type) => (
          <option key={type} value={type}>
            {recordTypeWord(type)}
          </option>
        ))}
      </select>
    </p>
    <p>
      <label className="label" htmlFor="new-about">
        {m.appointments_document_about()} <Optional />
      </label>
      <input className="input" type="text" id="new-about" name="newRecordDescription" maxLength={200} />
    </p>
  </div>
);

/** `i`: the index of the document in the posted form. The user can add a document of another patient to this visit. */
function ReceivedDocuments({ records }: { records: { record: FormRecord; i: number }[] }) {
  if (!records.length) return null;
  return (
    <ul className="mb-4 grid gap-3">
      {records.map(({ record, i }) => (
        <li
          key={record.fileId}
          className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 rounded-lg border border-line bg-card p-3.5"
          data-file
        >
          <Icon name={record.name.endsWith(".pdf") ? "file-text" : "image"} />
          <div className="grow space-y-1">
            <p className="row flex-wrap">
              <b className="grow">{record.name}</b>{" "}
              <small className="text-ink-soft">{m.appointments_document_received({ size: sizeWord(record.byteSize) })}</small>
            </p>
            <input type="hidden" name={`records[${i}].fileId`} value={record.fileId} />
            {record.forWhom && <input type="hidden" name={`records[${i}].forWhom`} value={record.forWhom} />}
            {record.isForChosen ? (
              <DocumentDetails record={record} i={i} />
            ) : (
              <>
                <input type="hidden" name={`records[${i}].recordType`} value={record.recordType} />
                <input type="hidden" name={`records[${i}].description`} value={record.description} />
                <p>
                  <Button
                    type="submit"
                    variant="second"
                    size="sm"
                    className="-ml-3"
                    name="intent"
                    value={`use:${record.fileId}`}
                    aria-label={m.appointments_document_use_of({ name: record.name })}
                  >
                    {m.appointments_document_use()}
                  </Button>
                </p>
              </>
            )}
          </div>
          <Button
            type="submit"
            variant="quiet"
            size="sm"
            className="col-start-2 -ml-3 justify-self-start"
            name="intent"
            value={`remove:${record.fileId}`}
            aria-label={m.appointments_document_remove_of({ name: record.name })}
          >
            {m.appointments_document_remove()}
          </Button>
        </li>
      ))}
    </ul>
  );
}

const DocumentDetails = ({ record, i }: { record: FormRecord; i: number }) => (
  <>
    <select
      className="input"
      name={`records[${i}].recordType`}
      defaultValue={record.recordType}
      aria-label={m.appointments_document_kind_of({ name: record.name })}
    >
      {RECORD_TYPES.map((type) => (
        <option key={type} value={type}>
          {recordTypeWord(type)}
        </option>
      ))}
    </select>
    <input
      className="input"
      name={`records[${i}].description`}
      defaultValue={record.description}
      maxLength={200}
      aria-label={m.appointments_document_about_of({ name: record.name })}
    />
  </>
);
