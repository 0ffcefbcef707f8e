import type { SubmissionResult } from "@conform-to/react";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { ErrorSummary, Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { documentList } from "#app/ui/staff/document-link.tsx";
import { sticky, TwoColumns } from "#app/ui/staff/two-columns.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { validateWith } from "#app/ui/validate.ts";
import { CaseDecisionSchema } from "../case-decision.schema.ts";
import { type CaseDocument, type CaseFile, caseNumber, isResubmitted } from "../case-file.ts";
import { canVerify } from "../verification.state.ts";
import { DocumentRow } from "./case-documents.tsx";
import { BankFacts, ProfessionalFacts } from "./case-facts.tsx";
import { CaseHead } from "./case-head.tsx";
import { CaseTrail } from "./case-trail.tsx";
import { DecisionKeys } from "./decision-keys.tsx";
import { NextCase } from "./next-case.tsx";
import { useVersions } from "./use-versions.ts";

type Viewer = { id: string; role: "reviewer" | "admin" };
type Decision = { seen: string; note: string; documents: { id: string; version: string; decision: string; reason: string }[] };
type Props = {
  file: CaseFile;
  viewer: Viewer;
  now: Date;
  /** The URL of the case. Its numbers have URLs below it. */
  base: string;
  back: { to: string; label: string };
  /** The next case, and the number of other waiting cases. */
  next: { id: string; total: number } | null;
  answer: { result: SubmissionResult<string[]>; detail?: unknown } | undefined;
  /** Above everything: what prevents a decision. */
  notes?: ReactNode;
  /** Below everything. */
  below?: ReactNode;
  /** Below the history: other actions. */
  actions?: ReactNode;
  /** Below the facts. */
  more?: ReactNode;
};

/** A doctor's case: documents with their decisions, the doctor's details, the history, and the decision on the case. */
export function CasePage(props: Props) {
  const { file, viewer, now, base, back, next, notes, below, actions, more } = props;
  const open = canVerify(viewer.role === "reviewer" ? "hospital-approve" : "approve", file.status, viewer.role);
  const parts = {
    ...props,
    facts: (
      <>
        <ProfessionalFacts file={file} base={base} now={now} />
        <BankFacts file={file} base={base} />
        {more}
      </>
    ),
  };
  return (
    <Page wide title={`${m.cases_case_title()} ${caseNumber(file.id)}`} titleAs="p" back={back}>
      <CaseHead file={file} now={now}>
        <NextCase next={next} cases={base.slice(0, base.lastIndexOf("/"))} />
      </CaseHead>
      {notes}
      {/* A resubmitted case has a new key, so that input for the earlier submission is not used. */}
      {open ? <OpenCase key={file.submittedAt?.toISOString()} {...parts} /> : <ClosedCase {...parts} actions={actions} />}
      {below}
    </Page>
  );
}

const checkCase = validateWith(CaseDecisionSchema);

/** M and A decide on the current document (focused, or the first), N opens the next. */
function decideByKey(key: "m" | "a" | "n") {
  const rows = [...document.querySelectorAll("[data-document]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = key === "n" ? rows[(at + 1) % rows.length] : rows[Math.max(0, at)];
  const radio = (value: string) => row?.querySelector<HTMLInputElement>(`input[value="${value}"]`);
  if (key === "m") radio("matches")?.click();
  if (key === "a") radio("ask-again")?.click();
  const focus =
    key === "a" ? row?.querySelector<HTMLElement>("textarea") : (row?.querySelector<HTMLElement>("input:checked") ?? radio("matches"));
  focus?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

type Parts = Props & { facts: ReactNode };

function OpenCase({ file, viewer, now, base, answer, facts }: Parts) {
  const versionOf = useVersions(file.documents, answer?.detail);
  const [form, fields] = useCheckedForm<Decision>({
    id: "case",
    lastResult: answer?.result ?? null,
    correct: checkCase,
    defaultValue: { documents: file.documents.map(storedDecision), note: "" },
  });
  const inputs = fields.documents.getFieldList();
  const [decisions, setDecisions] = useState(() => inputs.map((input) => String(input.getFieldset().decision.initialValue ?? "")));
  const again = decisions.filter((decision) => decision === "ask-again").length;
  const changed = useRef(false);
  const readDecisions = (event: FormEvent<HTMLFormElement>) => {
    changed.current = true;
    const data = new FormData(event.currentTarget);
    setDecisions(inputs.map((input) => String(data.get(input.getFieldset().decision.name) ?? "")));
  };
  useSaveBeforeLinks(form.id, base, changed);
  return (
    <Form form={form} onChange={readDecisions} className="mt-7">
      <input type="hidden" name="case" value={file.id} />
      <input type="hidden" name="seen" value={file.submittedAt?.toISOString() ?? ""} />
      <TwoColumns>
        <div>
          <DocumentsToDecide file={file}>
            {file.documents.map((document, i) => {
              const field = inputs[i]?.getFieldset();
              return (
                field && (
                  <DocumentRow
                    key={document.id}
                    document={document}
                    file={file}
                    base={base}
                    now={now}
                    inputs={field}
                    version={versionOf(document)}
                  />
                )
              );
            })}
          </DocumentsToDecide>
          {facts}
        </div>
        <aside className={`${sticky} desktop:max-h-[calc(100vh-6rem)] desktop:overflow-y-auto`} id="decide" aria-labelledby="h-two">
          <section className="card mt-7" aria-labelledby="h-two">
            <h2 id="h-two" className="mb-3">
              {m.cases_two_decide()}
            </h2>
            <CaseTrail file={file} viewer={viewer} decisions={decisions} />
            {again > 0 && <DocumentsAgain count={again} />}
            <TextArea field={fields.note} label={m.cases_note_label()} hint={m.cases_note_hint()} optional rows={2} maxLength={1000} />
            <DecisionButtons again={again} role={viewer.role} />
          </section>
        </aside>
      </TwoColumns>
    </Form>
  );
}

const storedDecision = ({ id, version, decision, reason }: CaseDocument) => ({
  id,
  version,
  decision: decision === "undecided" ? "" : decision,
  reason: reason ?? "",
});

/** Saves the decisions before a link to a document, a number or another case is followed. */
function useSaveBeforeLinks(formId: string, base: string, changed: RefObject<boolean>) {
  useEffect(() => {
    const cases = base.slice(0, base.lastIndexOf("/") + 1);
    const saveFirst = (event: MouseEvent) => {
      if (!changed.current || !(event.target as Element).closest(`a[href^="/documents/"], a[href^="${cases}"]`)) return;
      const data = new FormData(document.getElementById(formId) as HTMLFormElement);
      data.set("intent", "save");
      navigator.sendBeacon(base, data);
    };
    document.addEventListener("click", saveFirst, true);
    return () => document.removeEventListener("click", saveFirst, true);
  }, [base, formId, changed]);
}

function DocumentsToDecide({ file, children }: { file: CaseFile; children: ReactNode }) {
  return (
    <section className="card mt-7" aria-labelledby="h-docs">
      <h2 id="h-docs">{m.cases_documents()}</h2>
      <p className="text-sm text-ink-soft">{m.cases_documents_hint()}</p>
      {isResubmitted(file) && <p className="text-sm mt-2">{m.cases_resubmitted_text()}</p>}
      <DecisionKeys act={decideByKey} />
      <ul className={documentList}>{children}</ul>
    </section>
  );
}

const DocumentsAgain = ({ count }: { count: number }) => (
  <Note tone="warn" className="text-sm">
    {count === 1 ? m.cases_one_again() : m.cases_many_again({ count: String(count) })}
  </Note>
);

/** `again`: how many documents are asked for again. */
function DecisionButtons({ again, role }: { again: number; role: Viewer["role"] }) {
  const hydrated = useHydrated();
  const approve = (
    <SubmitButton
      key="approve"
      name="intent"
      value="approve"
      full
      {...(again ? { variant: "second" as const } : {})}
      disabled={hydrated && again > 0}
      pendingText={m.cases_approving()}
    >
      {role === "reviewer" ? m.cases_approve() : m.admin_approve()}
    </SubmitButton>
  );
  const sendBack = (
    <SubmitButton
      key="back"
      name="intent"
      value="send-back"
      full
      {...(again ? {} : { variant: "danger" as const })}
      pendingText={m.cases_sending_back()}
    >
      {m.cases_send_back()}
    </SubmitButton>
  );
  return (
    <div className="mt-4 grid gap-2.5 desktop:mt-3">
      {again ? [sendBack, approve] : [approve, sendBack]}
      <SubmitButton name="intent" value="save" variant="quiet" full pendingText={m.cases_saving()}>
        {m.cases_save()}
      </SubmitButton>
    </div>
  );
}

function ClosedCase({ file, viewer, now, base, answer, facts, actions }: Parts) {
  // Shows only the response to an action that came too late.
  const [form] = useNadiForm({ id: "closed", lastResult: answer?.result ?? null });
  return (
    <>
      {answer && (
        <div className="mt-4">
          <ErrorSummary form={form} />
        </div>
      )}
      <TwoColumns className="mt-7">
        <div>
          <section className="card mt-7" aria-labelledby="h-docs">
            <h2 id="h-docs">{m.cases_documents()}</h2>
            {file.documents.length ? (
              <>
                <p className="text-sm text-ink-soft">{m.cases_documents_read_only()}</p>
                <ul className={documentList}>
                  {file.documents.map((document) => (
                    <DocumentRow key={document.id} document={document} file={file} base={base} now={now} />
                  ))}
                </ul>
              </>
            ) : (
              <p className="text-ink-soft">{m.cases_no_documents_shown()}</p>
            )}
          </section>
          {facts}
        </div>
        <aside className={sticky} aria-labelledby="h-two">
          <section className="card mt-7" aria-labelledby="h-two">
            <h2 id="h-two" className="mb-3">
              {m.cases_trail()}
            </h2>
            <CaseTrail file={file} viewer={viewer} />
            {actions && <div className="mt-4 grid gap-2.5">{actions}</div>}
          </section>
        </aside>
      </TwoColumns>
    </>
  );
}
