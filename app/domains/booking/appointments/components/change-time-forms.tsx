import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import { formatDayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { SlotGrid } from "#app/ui/calendar.tsx";
import { SlotPick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { ChangeView } from "../caller-times.ts";
import { MAX_OPTIONS, type ProposedTime, timeValue, whenWord } from "../proposal-times.ts";
import { dayWord, FreeDays, FreeTimesOfDay } from "./free-days.tsx";

type ChangeTimeProps = ChangeView & {
  /** The page's URL, without the day. */
  path: string;
  /** The times that are proposed already. */
  proposed: { options: ProposedTime[]; atDesk: boolean } | null;
  /** The reader is at the clinic's desk, and not the doctor. */
  atDesk?: boolean;
  result: SubmissionResult<string[]> | undefined;
};

/** Names who proposed: the reader, or the other of doctor and desk. */
function proposedWord({ options, atDesk }: NonNullable<ChangeTimeProps["proposed"]>, reader: boolean): string {
  const when = options.map(whenWord).join("; ");
  if (atDesk === reader) return m.proposals_waiting({ when });
  return atDesk ? m.proposals_waiting_desk({ when }) : m.proposals_waiting_doctor({ when });
}

/** Returns what is ticked: what was sent, otherwise the first free time of the shown day at the clinic of the appointment. */
function tickedOf({ result, several, ticked, view, practiceId }: ChangeTimeProps): string[] {
  const sent = [result?.initialValue?.times].flat().filter((text) => typeof text === "string");
  if (sent.length || several) return [...ticked.map(timeValue), ...sent];
  return view.times
    .filter((at) => at.practiceId === practiceId)
    .slice(0, 1)
    .map(timeValue);
}

/**
 * Changes the time of an appointment: days, then times, then "Move now" or "Propose". With `several` up to three times are proposed, on one day or on
 * several: the ticks of a day are in the address of the next one.
 */
export function ChangeTimeForms(props: ChangeTimeProps) {
  const { view, several, path, proposed, atDesk = false, result } = props;
  const { day } = view;
  const ticked = tickedOf(props);
  const problems = Object.values(result?.error ?? {}).flatMap((list) => list ?? []);
  return (
    <>
      {proposed && <Note className="mb-3">{proposedWord(proposed, atDesk)}</Note>}
      {problems.length > 0 && (
        <Note tone="bad" role="alert" className="mb-3">
          {problems.join(" ")}
        </Note>
      )}
      {!several && <FreeDays view={view} path={path} fixed={{}} address={(date) => `${path}?day=${date}`} />}
      <Form method="post" key={`${day} ${several}`}>
        {several && <SeveralDays view={view} ticked={props.ticked} />}
        <fieldset className="field card">
          <legend className="sr-only">{m.proposals_move_to()}</legend>
          <h2>{day ? formatDayLong(day) : m.caller_day()}</h2>
          <FreeTimesOfDay view={view} name="times" chosen={ticked} several={several} />
        </fieldset>
        <div className="row flex-wrap gap-2 mt-4">
          {!several && (
            <SubmitButton name="intent" value="move" size="lg">
              {m.proposals_move_now()}
            </SubmitButton>
          )}
          <SubmitButton name="intent" value="propose" size="lg" {...(!several && { variant: "second" as const })}>
            {m.proposals_propose_now()}
          </SubmitButton>
          <LinkButton to={several ? path : `${path}?several=1`} variant="quiet" size="sm">
            {several ? m.proposals_one() : m.proposals_several({ count: MAX_OPTIONS })}
          </LinkButton>
        </div>
        <p className="text-sm text-ink-soft mt-2">{several ? m.proposals_propose_hint() : m.proposals_two_ways()}</p>
      </Form>
    </>
  );
}

/** The days, and the times that are ticked on others than the shown one. */
function SeveralDays({ view: { day, days, today, places }, ticked }: Pick<ChangeTimeProps, "view" | "ticked">) {
  const elsewhere = ticked.filter(({ date }) => date !== day);
  return (
    <>
      <input type="hidden" name="several" value="1" />
      <p className="text-ink-soft">{m.proposals_hint()}</p>
      <p className="row flex-wrap gap-2 my-3">
        {days.map(({ date, free }) => (
          <Button
            key={date}
            type="submit"
            formMethod="get"
            formNoValidate
            name="day"
            value={date}
            variant="second"
            size="sm"
            aria-pressed={date === day}
            className={date === day ? "bg-brand-soft" : undefined}
          >
            {m.caller_day_free({ day: dayWord(date, today), count: free })}
          </Button>
        ))}
      </p>
      {elsewhere.length > 0 && (
        <SlotGrid>
          {elsewhere.map((at) => (
            <SlotPick key={timeValue(at)} type="checkbox" name="times" value={timeValue(at)} defaultChecked>
              {whenWord(at)} {places && <small>{at.place ?? m.practices_no_place()}</small>}
            </SlotPick>
          ))}
        </SlotGrid>
      )}
    </>
  );
}
