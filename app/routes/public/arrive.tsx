/** `/arrive/{key}`: the QR code on the counter of a place. The patient logs in and says that they have arrived. */

import { href } from "react-router";
import { z } from "zod";
import { getPatientProfile } from "#app/domains/patients/profile/queries.server.ts";
import { getArrival } from "#app/domains/waiting-room/arrival/arrival.server.ts";
import { arriveByCode, takeTokenByCode } from "#app/domains/waiting-room/arrival/arrive-by-code.server.ts";
import { openPlaceKey } from "#app/domains/waiting-room/place-links/place-links.server.ts";
import { SameNames } from "#app/domains/waiting-room/queue/components/same-names.tsx";
import { nameChosen } from "#app/domains/waiting-room/queue/known-person.ts";
import type { SameName } from "#app/domains/waiting-room/queue/queue-view.ts";
import { entryStateWord, partWord } from "#app/domains/waiting-room/queue/words.ts";
import type { OwnToken } from "#app/domains/waiting-room/token-page/own-tokens.server.ts";
import { actorCtxOf, ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { type FormAnswer, submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { textIn } from "#app/lib/translations.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { ErrorSummary, type Field, Form, type NadiForm, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/arrive.ts";

export const handle = { secret: "key" } satisfies PageHandle;

/** The URL contains a secret: never cached. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });

const openKey = async (ctx: ReturnType<typeof ctxOf>, key: string) => {
  try {
    return await openPlaceKey(ctx, "arrive", key);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") throw new DomainError("not-found", m.arrive_unknown());
    throw error;
  }
};

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const place = await openKey(ctx, params.key);
  const shown = {
    place: textIn(place.texts, "name", place.name),
    allowsWalkIns: place.allowsWalkIns,
  };
  if (!ctx.actor) return { ...shown, who: "visitor" as const };
  if (ctx.actor.role !== "patient") return { ...shown, who: "staff" as const };
  const own = actorCtxOf(context);
  const arrival = await getArrival(own, place);
  const name = arrival.joinable.length ? ((await getPatientProfile(own)).name ?? "") : "";
  return { ...shown, who: "patient" as const, ...arrival, name, formKey: randomToken() };
});

const ArriveSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["arrive", "return"]), entryId: z.uuid() }),
  z.object({
    intent: z.literal("take"),
    sessionId: z.uuid({ error: () => m.arrive_choose_doctor() }),
    name: z
      .string({ error: () => m.queue_name_missing() })
      .trim()
      .min(1, { error: () => m.queue_name_missing() })
      .max(MAX_LINE),
    /** One of several patients of the name: `nameChosen`. */
    who: z.string().max(200).optional(),
    formKey: z.string().min(8).max(100),
  }),
]);

export async function action({ context, params, request }: Route.ActionArgs) {
  const here = href("/arrive/:key", { key: params.key });
  return submitForm(request, ArriveSchema, async (input) => {
    const ctx = ctxOf(context);
    await openKey(ctx, params.key);
    // The session ended while the page was open.
    if (!ctx.actor) return redirectTo(`${href("/dual-patient")}?redirectTo=${encodeURIComponent(here)}`);
    if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
    const own = actorCtxOf(context);
    if (input.intent === "take") {
      const { sessionId, formKey } = input;
      const { code } = await takeTokenByCode(own, { key: params.key, sessionId, formKey, ...nameChosen(input) });
      return redirectTo(href("/q/:code", { code }));
    }
    await arriveByCode(own, { key: params.key, entryId: input.entryId, action: input.intent });
    return redirectTo(here);
  });
}

type Data = Route.ComponentProps["loaderData"];

export default function Arrive({ loaderData, actionData, params }: Route.ComponentProps) {
  const here = href("/arrive/:key", { key: params.key });
  return (
    <SplitPage drawing="care" tagline={m.arrive_tagline()} lean>
      <h1>{loaderData.place}</h1>
      {loaderData.who === "visitor" && (
        <>
          <p className="mt-2">{m.arrive_login_text()}</p>
          <LinkButton to={`${href("/dual-patient")}?redirectTo=${encodeURIComponent(here)}`} size="lg" full className="mt-2">
            {m.arrive_login()}
          </LinkButton>
        </>
      )}
      {loaderData.who === "staff" && <Note className="mt-2">{m.arrive_patients_only()}</Note>}
      {loaderData.who === "patient" && <Own data={loaderData} answer={actionData} />}
    </SplitPage>
  );
}

type Own = Extract<Data, { who: "patient" }>;
type TakeFields = { sessionId: string; name: string };

function Own({ data, answer }: { data: Own; answer: FormAnswer | undefined }) {
  const { tokens, pending, ended, elsewhere, later, joinable } = data;
  const result = answer?.result ?? null;
  // Without a session to join there is no form that shows its refusal.
  const isTake = joinable.length > 0 && result?.initialValue?.intent === "take";
  const [refused] = useNadiForm({ id: "arrival", lastResult: isTake ? null : result });
  const [form, fields] = useNadiForm<TakeFields>({
    id: "arrive",
    lastResult: isTake ? result : null,
    defaultValue: { name: tokens.length ? "" : data.name },
  });
  const chosen = result?.initialValue?.sessionId;
  const { same } = (answer?.detail ?? {}) as { same?: SameName[] };
  const take = joinable.length > 0 && <TakeForm data={data} form={form} field={fields.name} chosen={chosen} same={same} />;
  if (tokens.length)
    return (
      <>
        <ErrorSummary form={refused} />
        {tokens.map((token) => (
          <Token key={token.id} token={token} />
        ))}
        {take}
      </>
    );
  const said = (visit: NonNullable<Own["later"]>) => ({
    doctor: visit.doctor,
    time: formatTime(visit.time),
    date: formatDay(visit.date),
    place: visit.place ?? "",
  });
  return (
    <>
      <ErrorSummary form={refused} />
      <Note tone="warn" className="mt-2">
        {pending ? m.arrive_pending(said(pending)) : ended ? m.arrive_ended(said(ended)) : m.arrive_none()}
        {elsewhere ? ` ${m.arrive_elsewhere(said(elsewhere))}` : ""}
        {later ? ` ${m.arrive_later(said(later))}` : ""}
      </Note>
      {take || <p className="mt-2">{m.arrive_ask_desk()}</p>}
    </>
  );
}

type TakeProps = { data: Own; form: NadiForm; field: Field; chosen: unknown; same: SameName[] | undefined };
const TakeForm = ({ data: { tokens, joinable, formKey }, form, field, chosen, same }: TakeProps) => (
  <Form form={form} action="#take" className="mt-7">
    <h2 id="take">{tokens.length ? m.arrive_take_another() : m.arrive_take_title()}</h2>
    <input type="hidden" name="formKey" value={formKey} />
    <fieldset className="mt-4">
      <legend>{m.arrive_doctor()}</legend>
      <div className="grid gap-2.5 *:min-w-0">
        {joinable.map(({ id, doctor, part }, i) => (
          <Pick
            key={id}
            type="radio"
            name="sessionId"
            value={id}
            defaultChecked={joinable.some((one) => one.id === chosen) ? id === chosen : i === 0}
          >
            {doctor}, {partWord(part).toLowerCase()}
          </Pick>
        ))}
      </div>
    </fieldset>
    <div className="mt-2">
      <TextField field={field} label={m.queue_name()} autoComplete={tokens.length ? "off" : "name"} maxLength={MAX_LINE} />
    </div>
    {same && <SameNames same={same} />}
    <SubmitButton name="intent" value="take" size="lg" variant={tokens.length ? "second" : undefined} full>
      {m.arrive_take()}
    </SubmitButton>
  </Form>
);

function Token({ token }: { token: OwnToken }) {
  const { id, number, code, doctor, due, state, may, from } = token;
  const [form] = useNadiForm({ id: `token-${id}` });
  return (
    <section className="card mt-7" aria-label={m.token_title({ number })}>
      <h2>{m.token_title({ number })}</h2>
      <p>
        {doctor}, {formatTime(due)}
      </p>
      {may ? (
        <Form form={form} className="mt-2">
          <input type="hidden" name="entryId" value={id} />
          <SubmitButton name="intent" value={may} size="lg" full>
            {may === "arrive" ? m.token_arrive() : m.token_return()}
          </SubmitButton>
        </Form>
      ) : from ? (
        <Note tone="warn" className="mt-2">
          {m.arrive_early({ time: formatTime(from) })}
        </Note>
      ) : (
        <Note tone="ok" className="mt-2" role="status">
          {state === "arrived" ? m.arrive_done() : entryStateWord(state)}
        </Note>
      )}
      {code && (
        <LinkButton to={href("/q/:code", { code })} variant={may ? "quiet" : undefined} full className="mt-2">
          {m.arrive_see_token()}
        </LinkButton>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.arrive_title() }) }, { name: "robots", content: "noindex" }];
