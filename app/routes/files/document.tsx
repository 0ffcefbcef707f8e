import { useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { DocumentDecisionSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { ComparedFacts, DecisionWords, HospitalDecision } from "#app/domains/credentials/cases/components/case-documents.tsx";
import { instantWords } from "#app/domains/credentials/cases/components/case-trail.tsx";
import { DecisionKeys } from "#app/domains/credentials/cases/components/decision-keys.tsx";
import { useVersions } from "#app/domains/credentials/cases/components/use-versions.ts";
import { decideDocument } from "#app/domains/credentials/cases/decide-document.server.ts";
import { getDocument } from "#app/domains/credentials/cases/documents-of-case.server.ts";
import { canVerify } from "#app/domains/credentials/cases/verification.state.ts";
import { documentWord } from "#app/domains/credentials/cases/words.ts";
import { sizeWord } from "#app/domains/platform/files/upload-limits.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { FieldError, Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { sticky, TwoColumns } from "#app/ui/staff/two-columns.tsx";
import { Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/document.ts";

const ZOOMS = ["fit", "100", "200", "400"] as const;
const TURNS = [0, 90, 180, 270] as const;

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const zoom = ZOOMS.find((z) => z === query.get("zoom")) ?? "fit";
  const turn = TURNS.find((t) => String(t) === query.get("turn")) ?? 0;
  const { role } = ctx.actor;
  const found = await getDocument(ctx, params.id);
  const { status } = found.doctor;
  const back =
    role === "doctor" ? (status === "draft" ? href("/doctor-verification") : href("/doctor-verify")) : caseAddress(role, found.doctor.id);
  const open =
    (role === "reviewer" && canVerify("hospital-approve", status, role)) || (role === "admin" && canVerify("approve", status, role));
  return { ...found, role, zoom, turn, back, open, now: ctx.now };
});

/** Redirects to the next document, and after the last to the decision on the case. */
export const action = submitOwn(DocumentDecisionSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await decideDocument(ctx, { ...input, id: params.id });
  const { undecided, doctor } = await orRefuse(() => getDocument(ctx, params.id));
  return undecided
    ? redirectWithToast(href("/documents/:id", { id: undecided }), m.cases_document_kept())
    : redirectWithToast(`${caseAddress(ctx.actor.role, doctor.id)}#decide`, m.cases_document_kept_last(), { stays: true });
});

const caseAddress = (role: string, doctorId: string) => `${role === "admin" ? href("/admin/doctors") : "/reviewer/cases"}/${doctorId}`;

type State = Pick<Route.ComponentProps["loaderData"], "zoom" | "turn">;
function addressOf(id: string, { zoom, turn }: State): string {
  const query = new URLSearchParams({ ...(zoom !== "fit" && { zoom }), ...(turn && { turn: String(turn) }) });
  return `${href("/documents/:id", { id })}${query.size ? `?${query}` : ""}`;
}

type Data = Route.ComponentProps["loaderData"];

export default function DocumentPage({ loaderData, actionData }: Route.ComponentProps) {
  const { document, doctor, place, previous, next, back, open, role, now } = loaderData;
  const word = documentWord(document.kind);
  const base = role === "doctor" ? null : back;
  return (
    <Page
      wide
      title={word}
      back={{ to: back, label: role === "doctor" ? m.cases_document_back_doctor() : m.cases_reveal_back() }}
      actions={
        <span className="text-sm text-ink-soft num">
          <span className="sr-only">{m.cases_document_word()} </span>
          {m.cases_document_at({ at: String(place.at), of: String(place.of) })}
        </span>
      }
    >
      <TwoColumns>
        <div>
          <Scan {...loaderData} />
          <Pagination
            label={m.cases_documents()}
            previous={previous && { to: href("/documents/:id", { id: previous.id }), label: m.cases_document_previous() }}
            next={next && { to: href("/documents/:id", { id: next.id }), label: m.cases_document_next() }}
          />
        </div>
        <aside className={sticky} aria-labelledby="h-about">
          <section className="card mt-7" aria-labelledby="h-about">
            <h2 id="h-about" className="mb-3">
              {m.cases_document_about()}
            </h2>
            <ComparedFacts kind={document.kind} file={doctor} base={base} now={now} />
            <FileFacts document={document} />
            {role !== "doctor" && document.fileId && <p className="text-sm text-ink-soft mt-2">{m.cases_document_logged()}</p>}
            <div className="mt-2">
              {open ? (
                <Decide key={document.id} document={document} seen={doctor.submittedAt?.toISOString() ?? ""} answer={actionData} />
              ) : (
                role !== "doctor" && (
                  <>
                    <HospitalDecision document={document} />
                    <DecisionWords document={document} />
                  </>
                )
              )}
            </div>
          </section>
        </aside>
      </TwoColumns>
    </Page>
  );
}

function Scan({ document, doctor, zoom, turn, now }: Pick<Data, "document" | "doctor" | "zoom" | "turn" | "now">) {
  const word = documentWord(document.kind);
  return document.fileId === null ? (
    <Note>{m.cases_scan_erased({ date: formatDate(todayInIndia(document.erasedAt ?? now)) })}</Note>
  ) : (
    <>
      <Tools id={document.id} zoom={zoom} turn={turn} />
      <Picture
        key={document.fileId}
        fileId={document.fileId}
        width={document.width ?? 1200}
        height={document.height ?? 1600}
        zoom={zoom}
        turn={turn}
        label={m.cases_document_picture({ document: word })}
        alt={`${word}, ${doctor.name}`}
      />
    </>
  );
}

const FileFacts = ({ document }: Pick<Data, "document">) => (
  <Facts
    className="text-sm mt-2"
    items={[
      [m.cases_document_received(), instantWords(document.createdAt)],
      [
        m.cases_document_size(),
        document.byteSize !== null &&
          m.cases_document_pixels({
            width: String(document.width ?? "?"),
            height: String(document.height ?? "?"),
            size: sizeWord(document.byteSize),
          }),
      ],
    ]}
  />
);

/** Zoom and rotation as links, which work without JavaScript. The URL has the state. */
function Tools({ id, zoom, turn }: State & { id: string }) {
  const sizes = ZOOMS.map((z) => ({ z, label: z === "fit" ? m.cases_document_fit() : m.cases_document_percent({ percent: z }) }));
  const turned = (by: number) => TURNS[(TURNS.indexOf(turn) + by + TURNS.length) % TURNS.length] ?? 0;
  return (
    <nav className="mb-3 flex flex-wrap gap-2" aria-label={m.cases_document_zoom()}>
      {sizes.map(({ z, label }) => (
        <LinkButton
          key={z}
          to={addressOf(id, { zoom: z, turn })}
          variant={z === zoom ? undefined : "second"}
          size="sm"
          aria-current={z === zoom ? "true" : undefined}
          preventScrollReset
          replace
        >
          {label}
        </LinkButton>
      ))}
      <LinkButton to={addressOf(id, { zoom, turn: turned(-1) })} variant="quiet" size="sm" preventScrollReset replace>
        {m.cases_document_turn_left()}
      </LinkButton>
      <LinkButton to={addressOf(id, { zoom, turn: turned(1) })} variant="quiet" size="sm" preventScrollReset replace>
        {m.cases_document_turn_right()}
      </LinkButton>
    </nav>
  );
}

/** The image in a scrollable frame, also by keyboard. Reserves its size, so that nothing moves when it loads. */
function Picture({
  fileId,
  width,
  height,
  zoom,
  turn,
  label,
  alt,
}: State & { fileId: string; width: number; height: number; label: string; alt: string }) {
  const picture = useRef<HTMLImageElement>(null);
  const [isBroken, setBroken] = useState(false);
  // It may have failed before hydration.
  useEffect(() => setBroken(Boolean(picture.current?.complete && picture.current.naturalWidth === 0)), []);
  // The frame has the size of the turned picture.
  const lies = turn % 180 !== 0;
  const [across, down] = lies ? [height, width] : [width, height];
  const frame = {
    aspectRatio: across / down,
    width: zoom === "fit" ? `min(100%, ${(76 * across) / down}vh)` : (across * Number(zoom)) / 100,
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable frame needs the arrow keys
    <section className="overflow-auto max-h-[80vh] p-2 border border-line rounded-lg bg-well" tabIndex={0} aria-label={label}>
      {isBroken && (
        <Note tone="bad" role="alert">
          {m.cases_document_broken()}
        </Note>
      )}
      <div className="relative mx-auto" style={frame}>
        <img
          className="absolute top-1/2 left-1/2 h-auto max-w-none"
          style={{ width: lies ? `${(100 * width) / height}%` : "100%", transform: `translate(-50%, -50%) rotate(${turn}deg)` }}
          ref={picture}
          src={href("/files/:id", { id: fileId })}
          alt={alt}
          width={width}
          height={height}
          decoding="async"
          onError={() => setBroken(true)}
        />
      </div>
    </section>
  );
}

/** M and A press the buttons of the decision, N opens the next document. */
function decideByKey(key: "m" | "a" | "n") {
  const form = document.getElementById("document");
  if (key === "m") form?.querySelector<HTMLElement>('button[value="matches"]')?.click();
  else if (key === "n") document.querySelector<HTMLElement>('a[rel="next"]')?.click();
  else {
    const ask = form?.querySelector("details");
    if (ask) ask.open = true;
    ask?.querySelector("textarea")?.focus();
  }
}

type DecideProps = {
  document: Route.ComponentProps["loaderData"]["document"];
  seen: string;
  answer: Route.ComponentProps["actionData"];
};
/** The decision on this document, next to its image: one press when it matches, a reason when it does not. */
function Decide({ document, seen, answer }: DecideProps) {
  const { decision, reason } = document;
  const versionOf = useVersions([document], answer?.detail);
  const [form, fields] = useNadiForm<{ decision: string; reason: string }>({
    id: "document",
    lastResult: answer?.result ?? null,
    defaultValue: { reason: reason ?? "" },
  });
  return (
    <>
      <HospitalDecision document={document} />
      {decision !== "undecided" && <DecisionWords document={document} />}
      <DecisionKeys act={decideByKey} />
      <Form form={form} className="mt-2">
        <input type="hidden" name="seen" value={seen} />
        <input type="hidden" name="version" value={versionOf(document)} />
        <div id={fields.decision.id} tabIndex={-1}>
          <FieldError field={fields.decision} />
          <SubmitButton name="decision" value="matches" full icon="check" pendingText={m.cases_saving()}>
            {m.cases_matches()}
          </SubmitButton>
        </div>
        <details className="mt-2" open={decision === "ask-again" || answer !== undefined}>
          <summary>{m.cases_ask_again()}</summary>
          <TextArea field={fields.reason} label={m.cases_reason_label()} hint={m.admin_sent_word_for_word()} rows={2} maxLength={500} />
          <SubmitButton name="decision" value="ask-again" variant="danger" full className="mt-3" pendingText={m.cases_saving()}>
            {m.cases_document_ask()}
          </SubmitButton>
        </details>
      </Form>
    </>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? documentWord(loaderData.document.kind) : m.cases_documents() }) },
];
