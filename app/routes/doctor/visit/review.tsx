import { data, Form, href } from "react-router";
import { z } from "zod";
import { MOST_REASON, seenStops } from "#app/domains/visit/allergies/allergy-stops.ts";
import { allergiesWord } from "#app/domains/visit/allergies/known-allergies.ts";
import { composePrescription } from "#app/domains/visit/documents/compose.server.ts";
import { signVisit } from "#app/domains/visit/documents/sign-visit.server.ts";
import { signedPatientWord } from "#app/domains/visit/documents/words.ts";
import { getOwnVisit } from "#app/domains/visit/encounters/own-visit.server.ts";
import { getDraft } from "#app/domains/visit/encounters/save-draft.server.ts";
import { adviceWord, doseSentence } from "#app/domains/visit/medicines/dose-sentence.ts";
import { strengthAndForm } from "#app/domains/visit/medicines/words.ts";
import { findTurn } from "#app/domains/waiting-room/queue/end-turn.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { asRefusal, orRefuse, refusalOf, refusals } from "#app/http/refusals.server.ts";
import { isRestoring } from "#app/http/restoring.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { formatDate, formatDayLong } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Badge, ErrorText, Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/review.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const visit = await getOwnVisit(ctx, params.id);
  const saved = await getDraft(ctx, visit);
  if (!saved?.id) return redirectTo(href("/doctor/visits/:id", { id: params.id }));
  const { content, fields, stops } = await composePrescription(ctx, visit, saved.draft);
  // The form shows what is wrong beside its fields.
  if (Object.keys(fields).length) return redirectTo(href("/doctor/visits/:id", { id: params.id }));
  const turn = await findTurn(ctx, visit);
  const { patient, doctor, language } = content;
  return {
    id: params.id,
    version: saved.version,
    patient: `${patient.name}, ${signedPatientWord(content)}`,
    doctor: `${doctor.name}, ${doctor.qualification}, ${doctor.registration}`,
    date: formatDate(content.date),
    allergies: allergiesWord(content),
    stops: stops.map(({ name, allergy, noted, line, medicine }) => ({
      name,
      allergy,
      noted: noted ? `${noted.by}, ${formatDate(noted.on)}` : m.visit_stop_here(),
      medicine,
      dose: doseSentence(content.lines[line]!, "en"),
      line,
    })),
    seen: seenStops(stops),
    compared: m.visit_stop_compared(),
    diagnosis: [content.diagnosis, content.diagnosisCode].filter(Boolean).join(", "),
    lines: content.lines.map((line) => ({
      name: line.name,
      what: [strengthAndForm(line), line.brand && `(${line.brand})`].filter(Boolean).join(" "),
      dose: doseSentence(line, "en"),
      own: language === "en" ? null : doseSentence(line, language),
      words: line.words,
    })),
    language,
    advice: [...content.advice.map((key) => adviceWord(key, "en")), content.adviceWords].filter(Boolean).join(" "),
    next: content.followUpOn && formatDayLong(content.followUpOn),
    turn: turn?.asks ? { number: turn.number, inside: turn.inside } : null,
  };
});

const Sign = z.object({
  version: z.coerce.number().int(),
  because: z.string().optional(),
  seen: z.string().default(""),
  turn: z.literal("ends").optional(),
});
/** What a refused signature shows again. */
type Answer = { message: string; because: string; wrong: string };

export function action({ context, params, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = Sign.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    const { version, because, seen, turn } = posted.data;
    if (isRestoring()) return data<Answer>({ message: "", because: because ?? "", wrong: "" });
    try {
      const anyway = because === undefined ? undefined : { because, seen };
      await signVisit(actorCtxOf(context), { visitId: params.id, version, endsTurn: turn === "ends", ...(anyway && { anyway }) });
    } catch (error) {
      const refusal = asRefusal(error);
      if (!(refusal instanceof DomainError) || refusal.code === "not-found") throw refusal;
      const { because: wrong, ...fields } = refusal.fields ?? {};
      const message = wrong ? "" : (Object.values(fields)[0]?.[0] ?? refusalOf(refusal).message);
      return data<Answer>({ message, because: because ?? "", wrong: wrong?.[0] ?? "" }, { status: refusals[refusal.code].status });
    }
    return redirectWithToast(href("/doctor/visits/:id", { id: params.id }), m.visit_signed_toast());
  });
}

/** What will be signed, and the button that signs it. */
export default function Review({ loaderData: r, actionData }: Route.ComponentProps) {
  const answer = actionData && "message" in actionData ? actionData : null;
  return (
    <Page title={m.visit_review_title()} back={{ to: href("/doctor/visits/:id", { id: r.id }) }}>
      {answer?.message && (
        <Note tone="bad" role="alert" className="mb-3">
          {answer.message}
        </Note>
      )}
      {r.stops.length > 0 && <Stop review={r} answer={answer} />}
      <section className="card" aria-label={m.visit_prescription()}>
        <Facts
          items={[
            [m.visit_patient(), r.patient],
            [m.visit_date(), r.date],
            [m.visit_allergies(), r.allergies],
            r.diagnosis !== "" && [m.visit_diagnosis(), r.diagnosis],
          ]}
        />
        <Lines lines={r.lines} stops={r.stops} language={r.language} />
        {r.lines.length === 0 && <p className="text-ink-soft">{m.visit_no_medicines()}</p>}
        <Facts
          items={[
            r.advice !== "" && [m.rx_advice(), r.advice],
            r.next !== null && [m.visit_follow(), r.next],
            [m.visit_signed_by(), r.doctor],
          ]}
        />
      </section>
      <p className="text-sm text-ink-soft mt-4">{m.visit_sign_hint()}</p>
      {r.stops.length === 0 && (
        <Form method="post" className="row flex-wrap mt-4">
          <input type="hidden" name="version" value={r.version} />
          <EndsTurn turn={r.turn} />
          <LinkButton to={href("/doctor/visits/:id", { id: r.id })} variant="second" size="lg">
            {m.visit_edit()}
          </LinkButton>
          <SubmitButton size="lg">{m.visit_sign()}</SubmitButton>
        </Form>
      )}
    </Page>
  );
}

const Lines = ({ lines, stops, language }: Pick<Route.ComponentProps["loaderData"], "lines" | "stops" | "language">) => (
  <ol className="[&>li]:py-2 [&>li]:px-0 [&>li]:border-t [&>li]:border-t-line mt-4">
    {lines.map((line, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a review never move
      <li key={i}>
        <b className="uppercase">{line.name}</b> {line.what}{" "}
        {stops.some((stop) => stop.line === i) && (
          <Badge tone="bad" icon="triangle-alert">
            {m.visit_stop_badge()}
          </Badge>
        )}
        <br />
        {line.dose}
        {line.own && (
          <p className="text-lg" lang={language}>
            {line.own}
          </p>
        )}
        {line.words && <p className="text-ink-soft">{line.words}</p>}
      </li>
    ))}
  </ol>
);

/** Asks whether the patient's turn in the queue ends too, while another patient is inside or before this one was called. */
const EndsTurn = ({ turn }: { turn: Route.ComponentProps["loaderData"]["turn"] }) =>
  turn && (
    <div className="w-full">
      <p className="text-ink-soft">
        {turn.inside === null ? m.visit_turn_waits({ number: turn.number }) : m.visit_turn_other({ inside: turn.inside })}
      </p>
      <Pick type="checkbox" name="turn" value="ends">
        {turn.inside === null ? m.visit_turn_ends_alone({ number: turn.number }) : m.visit_turn_ends({ number: turn.number })}
      </Pick>
    </div>
  );

/** Medicines that share a name with a written allergy: change the prescription, or sign with a reason. */
function Stop({ review: r, answer }: { review: Route.ComponentProps["loaderData"]; answer: Answer | null }) {
  const names = [...new Set(r.stops.map(({ name }) => name))].join(", ");
  return (
    <section className="card border-2 border-sos mb-3" role="alert" aria-labelledby="h-stop">
      <p className="text-sm text-ink-soft">{r.patient}</p>
      <h2 id="h-stop">{m.visit_stop_title({ what: names })}</h2>
      {r.stops.map(({ allergy, noted, medicine, dose, line }) => (
        <div className="my-3 grid grid-cols-[1fr_auto_1fr] gap-3 wrap-anywhere" key={`${line} ${allergy}`}>
          <p className="rounded-md bg-sos-soft px-3 py-2.5">
            <small className="text-sm block">{m.visit_stop_record()}</small>
            <b>{allergy}</b>
            <small className="text-sm block">{noted}</small>
          </p>
          <Icon name="triangle-alert" className="self-center text-sos-strong" />
          <p className="rounded-md bg-sos-soft px-3 py-2.5">
            <small className="text-sm block">{m.visit_stop_prescribe()}</small>
            <b>{medicine}</b>
            <small className="text-sm block">{dose}</small>
          </p>
        </div>
      ))}
      <LinkButton to={`${href("/doctor/visits/:id", { id: r.id })}#prescription`} full>
        {m.visit_stop_change()}
      </LinkButton>
      <Form method="post" className="mt-4">
        <input type="hidden" name="version" value={r.version} />
        <input type="hidden" name="seen" value={r.seen} />
        <label className="label" htmlFor="because">
          {m.visit_stop_because()}
        </label>
        <p className="hint" id="because-hint">
          {m.visit_stop_because_hint()}
        </p>
        <textarea
          className="input"
          id="because"
          name="because"
          rows={2}
          required
          maxLength={MOST_REASON}
          placeholder={m.visit_stop_example()}
          defaultValue={answer?.because}
          aria-invalid={answer?.wrong ? true : undefined}
          aria-describedby={answer?.wrong ? "e-because" : "because-hint"}
        />
        {answer?.wrong && (
          <ErrorText id="e-because">
            <Icon name="circle-alert" small />
            <span>{answer.wrong}</span>
          </ErrorText>
        )}
        <EndsTurn turn={r.turn} />
        <SubmitButton variant="danger" full className="mt-2">
          {m.visit_stop_sign()}
        </SubmitButton>
      </Form>
      <p className="text-sm text-ink-soft mt-2">{r.compared}</p>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.visit_review_title() }) }];
