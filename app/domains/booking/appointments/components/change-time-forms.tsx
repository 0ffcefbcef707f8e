import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { type FreeTime, type ProposedTime, whenWord } from "../proposal-times.ts";
import { FreeTimeSelect } from "./free-time-select.tsx";

type ChangeTimeProps = {
  /** The booked day. */
  date: string;
  free: FreeTime[];
  /** The times that are proposed already. */
  proposed: { options: ProposedTime[]; atDesk: boolean } | null;
  /** The reader is at the clinic's desk, and not the doctor. */
  atDesk?: boolean;
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
};

/** Names who proposed: the reader, or the other of doctor and desk. */
function proposedWord({ options, atDesk }: NonNullable<ChangeTimeProps["proposed"]>, reader: boolean): string {
  const when = options.map(whenWord).join("; ");
  if (atDesk === reader) return m.proposals_waiting({ when });
  return atDesk ? m.proposals_waiting_desk({ when }) : m.proposals_waiting_doctor({ when });
}

/** Two ways to change the time of an appointment: propose up to three times to the patient, or move it. */
export function ChangeTimeForms({ date, free, proposed, atDesk = false, result }: ChangeTimeProps) {
  const intent = result?.initialValue?.intent;
  const [propose] = useNadiForm({ id: "propose", lastResult: intent === "move" ? null : (result ?? null) });
  const [move] = useNadiForm({ id: "move", lastResult: intent === "move" ? result : null });
  const later = free.filter((slot) => slot.date > date);
  const first = (later.length ? later : free)[0];
  return (
    <>
      {proposed && <Note className="mb-3">{proposedWord(proposed, atDesk)}</Note>}
      <section className="card mt-4" aria-labelledby="h-propose">
        <h2 id="h-propose">{m.proposals_propose()}</h2>
        <p className="text-ink-soft mb-3">{m.proposals_hint()}</p>
        <Form form={propose}>
          {[m.proposals_time_1(), m.proposals_time_2(), m.proposals_time_3()].map((label, i) => (
            <FreeTimeSelect
              key={label}
              id={`time-${i}`}
              name={`times[${i}]`}
              label={label}
              free={free}
              chosen={i === 0 ? first : undefined}
              {...(i > 0 && { empty: m.proposals_time_none() })}
            />
          ))}
          <SubmitButton name="intent" value="propose" full>
            {m.proposals_send()}
          </SubmitButton>
        </Form>
      </section>
      <section className="card mt-4" aria-labelledby="h-move">
        <h2 id="h-move">{m.proposals_move()}</h2>
        <p className="text-ink-soft mb-3">{m.proposals_move_hint()}</p>
        <Form form={move}>
          <FreeTimeSelect id="to" name="to" label={m.proposals_move_to()} free={free} chosen={first} />
          <SubmitButton name="intent" value="move" variant="second" full>
            {m.proposals_move_yes()}
          </SubmitButton>
        </Form>
      </section>
    </>
  );
}
