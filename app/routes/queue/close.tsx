import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { QueueLine } from "#app/domains/waiting-room/queue/components/queue-lists.tsx";
import { getQueueSession } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Badge, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/close.ts";
import { submitQueueClose } from "./queue-forms.server.ts";
import { QUEUE_PATHS } from "./queue-paths.ts";

type Data = Awaited<ReturnType<typeof getQueueSession>>;

export const loader = loadOwn(async (ctx, { context, params }: Route.LoaderArgs) => ({
  area: areaIn(context, "doctor", "desk"),
  session: await getQueueSession(ctx, params.sessionId),
}));

export function action({ context, params, request }: Route.ActionArgs) {
  return submitQueueClose(actorCtxOf(context), request, params.sessionId, QUEUE_PATHS[areaIn(context, "doctor", "desk")]);
}

/** Asks before a queue is closed: who will not be seen, how each of them is informed, and how the others end. */
export default function QueueClose({ loaderData: { area, session: data }, actionData: answer, params }: Route.ComponentProps) {
  const back = `${QUEUE_PATHS[area]}?session=${params.sessionId}`;
  const { unseen, inside, missed } = data;
  const [form] = useNadiForm({ id: "close", lastResult: answer?.result ?? null });
  const sms = unseen.filter(({ reach }) => reach === "sms").length;
  return (
    <Page title={m.queue_close()} titleAs="p" back={{ to: back, label: m.queue_back() }}>
      <section className="card mx-auto max-w-lg space-y-4">
        <div className="space-y-1">
          <h1>{unseen.length ? m.queue_close_unseen({ count: unseen.length }) : m.queue_close_title()}</h1>
          <p className="text-ink-soft">
            {unseen.length ? summaryOf(data) : inside.length + missed.length ? m.queue_close_text() : m.queue_close_none()}
          </p>
        </div>
        {unseen.length > 0 && <Unseen rows={unseen} />}
        <Others title={m.queue_close_inside()} rows={inside} />
        <Others title={m.queue_close_missed()} rows={missed} />
        <Form form={form} className="space-y-4 group">
          <input type="hidden" name="unseen" value={unseen.map(({ number }) => number).join(" ")} />
          {sms > 0 && (
            <Pick look="plain" type="checkbox" name="sms" defaultChecked>
              {m.queue_close_send()}
            </Pick>
          )}
          {unseen.length > 0 && (
            <Note tone="warn">
              <b>{m.queue_close_final_title()}</b> {m.queue_close_final()}
            </Note>
          )}
          <div className="row flex-wrap">
            <SubmitButton variant="danger" className="grow">
              {sms > 0 ? (
                <>
                  <span className="group-has-[[name=sms]:not(:checked)]:hidden">{m.queue_close_with_sms({ count: String(sms) })}</span>
                  <span className="hidden group-has-[[name=sms]:not(:checked)]:inline">{m.queue_close_without()}</span>
                </>
              ) : (
                m.queue_close_now()
              )}
            </SubmitButton>
            <LinkButton to={back} variant="second" className="grow">
              {m.queue_close_keep()}
            </LinkButton>
          </div>
        </Form>
      </section>
    </Page>
  );
}

/** "3 wait here now and go home unseen. 1 has not come yet. 11 were seen." */
function summaryOf({ unseen, seen }: Data): string {
  const here = unseen.filter(({ isHere }) => isHere).length;
  const coming = unseen.length - here;
  return [
    here > 0 && m.queue_close_here({ count: here }),
    coming > 0 && m.queue_close_coming({ count: coming }),
    seen > 0 && m.queue_close_seen({ count: seen }),
  ]
    .filter(Boolean)
    .join(" ");
}

const Unseen = ({ rows }: { rows: Data["unseen"] }) => (
  <ol>
    {rows.map((row) => (
      <QueueLine key={row.id} number={row.number}>
        <p className="grow">
          <span className="font-bold">{row.name}</span> <span className="num text-ink-soft">{ageAndSexWord(row.age, row.gender)}</span>
          <span className="text-sm text-ink-soft block">
            {row.isHere ? m.queue_close_since({ time: formatTime(row.since) }) : m.queue_close_not_come({ time: formatTime(row.since) })}
          </span>
        </p>
        {row.reach === "sms" ? (
          <Badge icon="phone">{m.queue_close_sms()}</Badge>
        ) : (
          <Badge tone="warn" icon="triangle-alert">
            {row.reach === "stopped" ? m.queue_close_stopped() : m.queue_close_no_phone()}
          </Badge>
        )}
      </QueueLine>
    ))}
  </ol>
);

const Others = ({ title, rows }: { title: string; rows: { id: string; number: number; name: string }[] }) =>
  rows.length > 0 && (
    <section className="space-y-1">
      <h2 className="text-sm">{title}</h2>
      <ul>
        {rows.map(({ id, number, name }) => (
          <li key={id}>
            <b className="num">{number}</b> {name}
          </li>
        ))}
      </ul>
    </section>
  );

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.queue_close_title() }) }];
