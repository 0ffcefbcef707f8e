import { href } from "react-router";
import type { DocumentKind } from "#app/db/schema/index.ts";
import { sizeWord } from "#app/domains/platform/files/upload-limits.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, FieldError } from "#app/ui/form.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Badge, Facts } from "#app/ui/pieces.tsx";
import { DocumentLink, documentRow } from "#app/ui/staff/document-link.tsx";
import type { CaseDocument, CaseFile } from "../case-file.ts";
import { decisionWord, documentWord } from "../words.ts";
import { bornWords, MaskedNumber, NmcLink, Qualifications } from "./case-facts.tsx";

const ICONS: Record<DocumentKind, IconName> = {
  profileImage: "image",
  identityDocument: "id-card",
  medicalCouncilCertificate: "file-badge",
  qualificationCertificates: "graduation-cap",
};

/** Facts that a document is compared with. */
export type Compared = Pick<
  CaseFile,
  "name" | "dateOfBirth" | "councilName" | "councilNumber" | "councilYear" | "qualifications" | "aadhaarLast4" | "aadhaarErasedAt"
>;

/** The doctor's values that this document should prove. `base`: URL of the case, for links to the full numbers. */
export function ComparedFacts({ kind, file, base, now }: { kind: DocumentKind; file: Compared; base: string | null; now: Date }) {
  const name = [m.cases_name(), file.name] as const;
  const born = [m.cases_born(), bornWords(file.dateOfBirth, now)] as const;
  const items = {
    profileImage: [name, born],
    identityDocument: [
      name,
      born,
      [
        m.cases_number(),
        <MaskedNumber key="n" number="aadhaar" last4={file.aadhaarLast4} base={base} erasedAt={file.aadhaarErasedAt} />,
      ] as const,
    ],
    medicalCouncilCertificate: [
      name,
      [m.cases_council(), file.councilName] as const,
      [
        m.cases_number(),
        <span key="n" className="num">
          {file.councilNumber} {file.councilNumber && <NmcLink />}
        </span>,
      ] as const,
      [m.cases_year(), file.councilYear] as const,
    ],
    qualificationCertificates: [name, [m.cases_qualifications(), <Qualifications key="q" of={file.qualifications} />] as const],
  }[kind];
  return <Facts className="text-sm mt-1 mb-3" items={items} />;
}

type Inputs = { id: Field; version: Field; decision: Field; reason: Field };

/** A document of a case: link to its image, facts to compare, and the decision, as a choice or as text. */
export function DocumentRow({
  document,
  file,
  base,
  now,
  inputs,
  version,
}: {
  document: CaseDocument;
  file: Compared;
  base: string;
  now: Date;
  inputs?: Inputs;
  /** Version of the decision that the user has seen. */
  version?: string;
}) {
  const word = documentWord(document.kind);
  return (
    <li className={`group ${documentRow}`} data-document>
      {document.erasedAt || document.byteSize === null ? (
        <DocumentLink icon={ICONS[document.kind]}>
          <span>{m.cases_erased_on({ date: formatDate(todayInIndia(document.erasedAt ?? now)) })}</span>
        </DocumentLink>
      ) : (
        <DocumentLink to={href("/documents/:id", { id: document.id })} icon={ICONS[document.kind]}>
          <b>{m.cases_file_size({ size: sizeWord(document.byteSize) })}</b>{" "}
          <span>
            {m.cases_open_document()} <span className="sr-only">{word}</span>
          </span>
          <Icon name="eye" small />
        </DocumentLink>
      )}
      <div className="grow">
        <h3 className="mb-1">{word}</h3>
        <ComparedFacts kind={document.kind} file={file} base={base} now={now} />
        {inputs ? (
          <>
            <input type="hidden" name={inputs.id.name} value={document.id} />
            <input type="hidden" name={inputs.version.name} value={version} />
            <HospitalDecision document={document} mustOpen />
            <DecisionInputs word={word} inputs={inputs} />
            <DecidedBy document={document} />
          </>
        ) : (
          <>
            <HospitalDecision document={document} />
            {(document.decision !== "undecided" || !document.hospitalDecidedAt) && <DecisionWords document={document} />}
          </>
        )}
      </div>
    </li>
  );
}

/** "Matches", or "ask again" with a reason. */
function DecisionInputs({ word, inputs: { decision, reason } }: { word: string; inputs: Pick<Inputs, "decision" | "reason"> }) {
  const choices = [
    { value: "matches", label: m.cases_matches() },
    { value: "ask-again", label: m.cases_ask_again() },
  ];
  return (
    <>
      <fieldset key={decision.key} id={decision.id} tabIndex={-1} aria-describedby={decision.errors ? decision.errorId : undefined}>
        <legend className="sr-only">{m.cases_decision_legend({ document: word })}</legend>
        <div className="flex flex-wrap gap-2.5">
          {choices.map(({ value, label }) => (
            <Pick
              look="small"
              key={value}
              className="min-w-min flex-[1_1_6.25rem] max-[16rem]:basis-full"
              type="radio"
              name={decision.name}
              value={value}
              defaultChecked={decision.initialValue === value}
            >
              {label}
            </Pick>
          ))}
        </div>
      </fieldset>
      <FieldError field={decision} />
      <div className="mt-3 group-[:not(:has([value=ask-again]:checked))]:hidden">
        <label className="label" htmlFor={reason.id}>
          {m.cases_reason_label()} <span className="sr-only">{m.cases_reason_of({ document: word })}</span>
        </label>
        <textarea
          key={reason.key}
          className="input"
          rows={2}
          id={reason.id}
          name={reason.name}
          maxLength={500}
          defaultValue={typeof reason.initialValue === "string" ? reason.initialValue : undefined}
          aria-invalid={reason.errors ? true : undefined}
          aria-describedby={reason.errors ? reason.errorId : undefined}
        />
        <FieldError field={reason} />
      </div>
    </>
  );
}

/** The hospital's decision, next to the administrator's own. `mustOpen`: also whether the viewer, who may approve only opened documents, has opened it. */
export function HospitalDecision({
  document: { hospitalDecidedBy, hospitalDecidedAt, opened },
  mustOpen = false,
}: {
  document: CaseDocument;
  mustOpen?: boolean;
}) {
  if (!hospitalDecidedAt && !mustOpen) return null;
  const by = hospitalDecidedAt && {
    name: hospitalDecidedBy || m.cases_a_colleague(),
    date: formatDate(todayInIndia(hospitalDecidedAt)),
  };
  return (
    <p className="row flex-wrap text-sm text-ink-soft mb-3">
      {by && (
        <span>
          {m.cases_hospital_said()}: {m.cases_decided_by(by)}
        </span>
      )}
      {mustOpen && (
        <Badge className="mt-1" tone={opened ? "ok" : "warn"} icon={opened ? "eye" : "eye-off"}>
          {opened ? m.cases_opened() : m.cases_not_opened()}
        </Badge>
      )}
    </p>
  );
}

const LOOK = {
  matches: { tone: "ok", icon: "circle-check" },
  "ask-again": { tone: "bad", icon: "circle-x" },
  undecided: { icon: "hourglass" },
} as const;

/** Who decided on this document last. */
function DecidedBy({ document: { decision, decidedBy, decidedAt } }: { document: CaseDocument }) {
  if (!decidedBy || !decidedAt) return null;
  const author = m.cases_decided_by({ name: decidedBy, date: formatDate(todayInIndia(decidedAt)) });
  return (
    <p className="text-sm text-ink-soft mt-2">
      {decisionWord(decision)}: {author}
    </p>
  );
}

/** The decision with author and reason. */
export function DecisionWords({ document }: { document: CaseDocument }) {
  const { decision, decidedBy, decidedAt, reason } = document;
  return (
    <>
      <p className="row flex-wrap">
        <Badge className="mt-1" {...LOOK[decision]}>
          {decisionWord(decision)}
        </Badge>{" "}
        {decidedBy && decidedAt && (
          <span className="text-sm text-ink-soft">
            {m.cases_decided_by({ name: decidedBy, date: formatDate(todayInIndia(decidedAt)) })}
          </span>
        )}
      </p>
      {reason && <p className="mt-1.5 ps-3 border-s-3 border-s-line whitespace-pre-line text-sm">{reason}</p>}
    </>
  );
}
