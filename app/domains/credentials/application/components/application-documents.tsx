import { useEffect, useRef } from "react";
import { href, Link } from "react-router";
import type { DocumentKind } from "#app/db/schema/index.ts";
import { documentWord } from "#app/domains/credentials/cases/words.ts";
import { MAX_CERTIFICATES, MAX_IMAGE_MB, sizeWord } from "#app/domains/platform/files/upload-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { type Field, FieldError } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { ErrorText } from "#app/ui/pieces.tsx";
import { documentList } from "#app/ui/staff/document-link.tsx";
import { DOCUMENT_CHOICES } from "../choices.ts";
import type { OwnDocument } from "../draft.ts";
import { Part } from "./application-part.tsx";

/**
 * Received documents, and inputs for missing ones. Last in the form, so that fields before them arrive when a file is too large.
 */
export function ApplicationDocuments({
  documents,
  kinds = DOCUMENT_CHOICES,
  fields,
  page,
}: {
  documents: OwnDocument[];
  kinds?: readonly DocumentKind[];
  fields: Record<DocumentKind, Field>;
  page: string;
}) {
  const upload = useRef<HTMLButtonElement>(null);
  const inputs = useRef<HTMLUListElement>(null);
  // After each load of the page: the browser would send a chosen file again. The inputs stay, because a picker that is still open fills them.
  useEffect(() => {
    if (page) for (const input of inputs.current?.querySelectorAll("input") ?? []) input.value = "";
  }, [page]);
  return (
    <Part title={m.application_part_documents()} id="documents">
      <p className="text-sm text-ink-soft">{m.application_documents_hint({ megabytes: String(MAX_IMAGE_MB) })}</p>
      <ul ref={inputs} className={documentList}>
        {kinds.map((kind) => (
          <DocumentsOfKind
            key={kind}
            kind={kind}
            received={documents.filter((document) => document.kind === kind)}
            field={fields[kind]}
            onChoose={() => upload.current?.click()}
          />
        ))}
      </ul>
      <Button ref={upload} type="submit" variant="second" icon="upload" name="intent" value="upload">
        {m.application_documents_upload()}
      </Button>
    </Part>
  );
}

type OfKindProps = { kind: DocumentKind; received: OwnDocument[]; field: Field; onChoose: () => void };
function DocumentsOfKind({ kind, received, field, onChoose }: OfKindProps) {
  const many = kind === "qualificationCertificates";
  const full = many && received.length >= MAX_CERTIFICATES;
  return (
    <li>
      <h3 className="mb-1">{documentWord(kind)}</h3>
      {received.map((document, i) => (
        <Received key={document.id} document={document} name={many ? `${documentWord(kind)} ${i + 1}` : documentWord(kind)} />
      ))}
      {!full && (
        <div className="field">
          <label className="label" htmlFor={field.id}>
            {received.length === 0
              ? m.application_document_choose()
              : many
                ? m.application_document_add()
                : m.application_document_replace()}
            <span className="sr-only"> {documentWord(kind)}</span>
          </label>
          <input
            className="input h-auto p-2 text-sm file:min-h-target-min file:py-0 file:px-4 file:me-3 file:border-2 file:border-brand file:rounded-md file:bg-card file:text-brand file:[font:inherit] file:font-bold"
            type="file"
            id={field.id}
            name={kind}
            multiple={many}
            accept="image/jpeg,image/png,image/webp,image/*"
            aria-invalid={field.errors ? true : undefined}
            aria-describedby={field.errors ? field.errorId : undefined}
            onChange={(event) => event.currentTarget.files?.length && onChoose()}
          />
        </div>
      )}
      <FieldError field={field} />
    </li>
  );
}

function Received({ document, name }: { document: OwnDocument; name: string }) {
  return (
    <div className="flex gap-4 py-2 *:max-w-full *:min-w-0">
      <Link
        to={href("/files/:id", { id: document.fileId })}
        reloadDocument
        target="_blank"
        rel="noopener"
        className="grid size-30 flex-none place-items-center overflow-hidden rounded-md border border-line bg-well p-1"
        aria-label={m.application_document_open({ name })}
      >
        <img
          src={href("/files/:id", { id: document.fileId })}
          alt={name}
          width={document.width ?? undefined}
          height={document.height ?? undefined}
          className="max-h-full w-auto object-contain"
          loading="lazy"
          decoding="async"
        />
      </Link>
      <div className="grow space-y-1">
        <p className="row flex-wrap">
          <Icon name="circle-check" small />
          <b>{m.application_document_received()}</b> <small className="text-ink-soft">{sizeWord(document.byteSize)}</small>
        </p>
        {document.askedAgain !== null && (
          <ErrorText>
            <Icon name="circle-alert" small />
            <span>{m.application_document_asked_again({ reason: document.askedAgain })}</span>
          </ErrorText>
        )}
        <Button
          type="submit"
          variant="quiet"
          size="sm"
          icon="trash-2"
          name="intent"
          value={`remove-document:${document.id}`}
          className="pl-0"
          aria-label={m.application_document_remove({ name })}
        >
          {m.application_remove()}
        </Button>
      </div>
    </div>
  );
}
