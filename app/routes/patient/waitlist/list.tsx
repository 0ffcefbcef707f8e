import { href, Link, Form as PlainForm } from "react-router";
import { takeOffer } from "#app/domains/booking/appointments/take-offer.server.ts";
import { leaveWaitlist, passOffer } from "#app/domains/booking/waitlist/answer-offer.server.ts";
import { listOwnEntries, type OwnEntry } from "#app/domains/booking/waitlist/queries.server.ts";
import { AnswerSchema } from "#app/domains/booking/waitlist/waitlist.schema.ts";
import { clockOf, endWord, whenWord, wishWord } from "#app/domains/booking/waitlist/words.ts";
import { prepaidWord } from "#app/domains/money/platform-fee/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import type { Paise } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, useNadiForm } from "#app/ui/form.tsx";
import { Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/list.ts";

export const loader = loadOwn(async (ctx) => {
  return {
    entries: await listOwnEntries(ctx),
    today: todayInIndia(ctx.now),
    platformFee: ctx.integrations.payments?.platformFee?.amount ?? null,
  };
});

export const action = submitOwn(AnswerSchema, async (ctx, { intent, id }) => {
  if (intent === "take") {
    const booked = await takeOffer(ctx, id);
    return redirectWithToast(href("/patient/appointments/:id", { id: booked.id }), m.waitlist_taken_now(), { stays: true });
  }
  if (intent === "pass") await passOffer(ctx, id);
  else await leaveWaitlist(ctx, id);
  return redirectWithToast(href("/patient/waitlist"), intent === "pass" ? m.waitlist_passed_now() : m.waitlist_left_now());
});

export default function PatientWaitlist({ loaderData, actionData }: Route.ComponentProps) {
  const { entries, today, platformFee } = loaderData;
  const [form] = useNadiForm({ id: "answer", lastResult: actionData?.result ?? null });
  return (
    <Page title={m.waitlist_title()} back={{ to: href("/patient/calendar"), label: m.waitlist_back() }}>
      <ErrorSummary form={form} />
      {entries.length === 0 ? (
        <EmptyState
          drawing="time"
          title={m.waitlist_none()}
          action={<LinkButton to={href("/doctorspages/Cards-data")}>{m.waitlist_find()}</LinkButton>}
        >
          {m.waitlist_none_text()}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-1 gap-3">
          {entries.map((entry) => (
            <Card as="li" key={entry.id}>
              <Entry entry={entry} today={today} platformFee={platformFee} />
            </Card>
          ))}
        </ul>
      )}
      <section className="mt-7" aria-labelledby="h-rules">
        <h2 id="h-rules">{m.waitlist_rules()}</h2>
        <ul className="space-y-1">
          <li>{m.waitlist_rule_order()}</li>
          <li>{m.waitlist_rule_one()}</li>
          <li>{m.waitlist_rule_length()}</li>
          <li>{m.waitlist_rule_night()}</li>
          <li>{m.waitlist_rule_pass()}</li>
          <li>{m.waitlist_rule_move()}</li>
        </ul>
      </section>
    </Page>
  );
}

function Entry({ entry, today, platformFee }: { entry: OwnEntry; today: string; platformFee: Paise | null }) {
  const { offer, visit } = entry;
  const isOpen = offer !== null && !offer.isOver;
  return (
    <div className="space-y-1">
      <h2 className="h3">
        <Link className="inline-flex items-center min-h-target-min" to={href("/details/doctor/:id", { id: entry.doctorId })}>
          {entry.doctorName}
        </Link>
      </h2>
      <p className="text-sm text-ink-soft">{m.appointments_for({ name: entry.patientName })}</p>
      {entry.state === "taken" ? (
        <p>
          {m.waitlist_taken()} {visit && <Link to={href("/patient/appointments/:id", { id: visit.id })}>{whenWord(visit)}</Link>}
        </p>
      ) : entry.endReason ? (
        <p>{endWord(entry.endReason)}</p>
      ) : (
        <>
          {isOpen ? (
            <>
              <p>
                <b>{m.waitlist_offered({ when: whenWord(offer) })}</b> {m.waitlist_yours_until({ until: clockOf(offer.until, today) })}
              </p>
              {visit && <p className="text-sm">{m.waitlist_moves({ when: whenWord(visit) })}</p>}
              {!visit && entry.isPrepaid && <p className="text-sm">{prepaidWord(platformFee)}</p>}
            </>
          ) : (
            <>
              <p>
                {m.waitlist_waiting()} {m.waitlist_place({ place: entry.place })}
              </p>
              <p className="text-sm text-ink-soft">{wishWord(entry)}</p>
              {visit && <p className="text-sm text-ink-soft">{m.waitlist_before_visit({ when: whenWord(visit) })}</p>}
            </>
          )}
          <div className="row flex-wrap">
            {isOpen && (
              <>
                <Answer intent="take" id={offer.id} word={m.waitlist_take()} of={whenWord(offer)} />
                <Answer intent="pass" id={offer.id} word={m.waitlist_pass()} of={whenWord(offer)} />
              </>
            )}
            <Answer intent="leave" id={entry.id} word={m.waitlist_leave()} of={entry.doctorName} />
          </div>
        </>
      )}
    </div>
  );
}

/** One button, as a form of its own: each works without scripts, and a link in a message cannot press it. */
const LOOKS = { take: {}, pass: { variant: "second" }, leave: { variant: "quiet", className: "pl-0" } } as const;
const Answer = ({ intent, id, word, of }: { intent: keyof typeof LOOKS; id: string; word: string; of: string }) => (
  <PlainForm method="post">
    <input type="hidden" name="intent" value={intent} />
    <input type="hidden" name="id" value={id} />
    <Button type="submit" {...LOOKS[intent]}>
      {word}
      <span className="sr-only">: {of}</span>
    </Button>
  </PlainForm>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.waitlist_title() }) }];
