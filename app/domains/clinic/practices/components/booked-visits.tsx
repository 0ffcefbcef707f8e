import { href } from "react-router";
import { CancelReasonField } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { dayWord, FreeTimesOfDay } from "#app/domains/booking/appointments/components/free-days.tsx";
import {
  allotTimes,
  FREE_TIMES,
  type FreeTime,
  parseTimeValue,
  timeValue,
  whenWord,
} from "#app/domains/booking/appointments/proposal-times.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button } from "#app/ui/button.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { ToolbarField, toolbarInput } from "#app/ui/staff/toolbar.tsx";
import type { BookedChoice, Choosing, ComingVisit } from "../coming-visit.ts";

type BookedVisitsProps = {
  visits: ComingVisit[];
  /** Free times outside the leave or the closed practice. */
  free: FreeTime[];
  /** The choices of the page; without free times only those that need none. */
  choices: readonly BookedChoice[];
  choosing?: Choosing | null | undefined;
  /** What was sent: the choice, the times and the reason. */
  sent?: { booked?: unknown; moves?: unknown; reason?: unknown } | null | undefined;
};

const WORDS: Record<BookedChoice, (count: number) => string> = {
  offer: () => m.proposals_booked_offer(),
  move: () => m.proposals_booked_move(),
  cancel: (count) => m.proposals_booked_cancel({ count }),
  keep: () => m.practices_booked_keep(),
};

/**
 * Returns the time that each appointment moves to: the one that was sent, unless it is gone or was chosen for another appointment after it, otherwise the
 * first free one that no other appointment has.
 */
function chosenTimes({ visits, free, sent }: BookedVisitsProps): Map<string, string> {
  const times = new Map<string, string>();
  const isChosen = (time: string) => [...times.values()].includes(time);
  const listed = free.map(timeValue);
  // Times after the listed ones may be free, too.
  const isGone = (time: string) => !listed.includes(time) && (free.length < FREE_TIMES || time < listed.at(-1)!);
  for (const move of [sent?.moves].flat().reverse()) {
    if (typeof move !== "string") continue;
    const [id, time] = [move.slice(0, 36), move.slice(37)];
    if (!times.has(id) && visits.some((visit) => visit.id === id) && parseTimeValue(time) && !isGone(time) && !isChosen(time))
      times.set(id, time);
  }
  const others = visits.filter(({ id }) => !times.has(id));
  const open = free.filter((at) => !isChosen(timeValue(at)));
  for (const [id, [at]] of allotTimes(others, open.length ? open : free, 1)) if (at) times.set(id, timeValue(at));
  return times;
}

/**
 * The appointments that a leave or a closed practice concerns, and what happens to them. Their ids are sent, so that a newer one is never changed
 * unseen. Each has a free time to move to, and a button that shows the days and times of others.
 */
export function BookedVisits(props: BookedVisitsProps) {
  const { visits, free, choices, choosing, sent } = props;
  const times = chosenTimes(props);
  const possible = choices.filter((choice) => free.length > 0 || choice === "cancel" || choice === "keep");
  const wanted = choosing ? "move" : sent?.booked;
  const initial = possible.find((choice) => choice === wanted) ?? possible[0];
  return (
    <>
      {/* Enter in a field presses the first button of a form: it shows the typed day. */}
      {choosing && (
        <button
          type="submit"
          name="choose"
          value={`${choosing.id} other`}
          formNoValidate
          className="sr-only"
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      {free.length === 0 && <Note className="mb-3">{m.proposals_no_free()}</Note>}
      <fieldset className="field" key={initial}>
        <legend>{m.practices_booked_then()}</legend>
        <div className="grid gap-2.5 *:min-w-0">
          {possible.map((choice) => (
            <Pick key={choice} type="radio" name="booked" value={choice} defaultChecked={choice === initial}>
              {WORDS[choice](visits.length)}
            </Pick>
          ))}
        </div>
      </fieldset>
      <ul className="space-y-4 mt-2 mb-3">
        {visits.map((visit, i) => (
          <BookedVisit
            key={visit.id}
            visit={visit}
            i={i}
            count={visits.length}
            time={times.get(visit.id) ?? ""}
            canMove={possible.includes("move")}
            choosing={choosing?.id === visit.id ? choosing : null}
          />
        ))}
      </ul>
      <CancelReasonField chosen={sent?.reason} />
      <p className="text-sm text-ink-soft mt-2 mb-3">{m.proposals_booked_hint()}</p>
    </>
  );
}

type BookedVisitProps = { visit: ComingVisit; i: number; count: number; time: string; canMove: boolean; choosing: Choosing | null };
/** `count`: of all appointments. `choosing`: the times to choose from, when they are shown. */
function BookedVisit({ visit, i, count, time, canMove, choosing }: BookedVisitProps) {
  const isTicked = choosing?.view.times.some((at) => timeValue(at) === time);
  return (
    <li>
      <input type="hidden" name="visits" value={visit.id} />
      <AnyLink to={href("/doctor/patient/:id", { id: visit.id })}>
        {whenWord(visit)}: {visit.patientName}
      </AnyLink>
      {canMove && (
        <>
          <input type="hidden" name={`moves[${i}]`} value={`${visit.id} ${time}`} />
          <div className="row flex-wrap">
            <span className="grow">
              {m.proposals_move_to()}
              {/* The ticked time below says it. */}
              {!isTicked && (
                <>
                  : <b>{whenWord(parseTimeValue(time) ?? visit)}</b>
                </>
              )}
            </span>
            {!choosing && (
              <Button type="submit" name="choose" value={visit.id} variant="second" size="sm" formNoValidate>
                {m.proposals_other_time()} <span className="sr-only">{visit.patientName}</span>
              </Button>
            )}
          </div>
          {choosing && <OtherTimes choosing={choosing} name={`moves[${count}]`} chosen={time} />}
        </>
      )}
    </li>
  );
}

/** The next days with free times, a field for a later one, and the times of the shown day. */
function OtherTimes({ choosing: { id, view }, name, chosen }: { choosing: Choosing; name: string; chosen: string }) {
  const { day, days, today } = view;
  const prefixed = { ...view, times: view.times.map((at) => ({ ...at, value: `${id} ${timeValue(at)}` })) };
  return (
    <div className="card mt-2" key={day}>
      <p className="row flex-wrap gap-2 mb-3">
        {days.map(({ date, free }) => (
          <Button
            key={date}
            type="submit"
            name="choose"
            value={`${id} ${date}`}
            formNoValidate
            variant="second"
            size="sm"
            aria-pressed={date === day}
            className={date === day ? "bg-brand-soft" : undefined}
          >
            {m.caller_day_free({ day: dayWord(date, today), count: free })}
          </Button>
        ))}
      </p>
      <p className="row flex-wrap gap-1">
        <ToolbarField label={m.caller_other_day()}>
          <input className={toolbarInput} type="date" name="otherDay" min={today} defaultValue={day ?? today} />
        </ToolbarField>
        <Button type="submit" name="choose" value={`${id} other`} variant="second" size="sm" formNoValidate>
          {m.agenda_do_show()}
          <span className="sr-only"> {m.caller_other_day()}</span>
        </Button>
      </p>
      <FreeTimesOfDay view={prefixed} name={name} chosen={[`${id} ${chosen}`]} />
    </div>
  );
}
