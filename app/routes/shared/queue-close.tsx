/** Asks before a queue is closed, with what is left open. */
import type { getQueueSession } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";

type Row = { id: string; number: number; name: string; state: QueueEntryState; missed: boolean };
type Props = { data: Awaited<ReturnType<typeof getQueueSession>>; answer: FormAnswer | undefined; back: string };

const isInside = (state: QueueEntryState) => state === "with-doctor" || state === "called";

export function QueueClose({ data: { rows }, answer, back }: Props) {
  const [form] = useNadiForm({ id: "close", lastResult: answer?.result ?? null });
  const groups: [string, Row[]][] = [
    [m.queue_close_inside(), rows.filter(({ state }) => isInside(state))],
    [m.queue_close_left(), rows.filter(({ state, missed }) => !isInside(state) && !missed)],
    [m.queue_close_missed(), rows.filter(({ missed }) => missed)],
  ];
  return (
    <Page title={m.queue_title()} titleAs="p" back={{ to: back, label: m.queue_back() }}>
      <ConfirmCard
        icon="triangle-alert"
        title={m.queue_close_title()}
        text={rows.length ? m.queue_close_text() : m.queue_close_none()}
        actions={<YesNo form={form} back={back} />}
      >
        {groups.map(
          ([title, list]) =>
            list.length > 0 && (
              <section key={title} className="stack-s">
                <h2 className="small">{title}</h2>
                <ul>
                  {list.map(({ id, number, name }) => (
                    <li key={id}>
                      <b className="num">{number}</b> {name}
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </ConfirmCard>
    </Page>
  );
}
