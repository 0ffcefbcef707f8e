import { href } from "react-router";
import { CancelReasonField } from "#app/domains/booking/appointments/components/appointment-actions.tsx";
import { FreeTimeSelect } from "#app/domains/booking/appointments/components/free-time-select.tsx";
import { allotTimes, type FreeTime, whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { BookedChoice, ComingVisit } from "../coming-visit.ts";

type BookedVisitsProps = {
  visits: ComingVisit[];
  /** Free times outside the leave or the closed practice. */
  free: FreeTime[];
  /** The choices of the page; without free times only those that need none. */
  choices: readonly BookedChoice[];
  chosen?: string | undefined;
};

const WORDS: Record<BookedChoice, (count: number) => string> = {
  offer: () => m.proposals_booked_offer(),
  move: () => m.proposals_booked_move(),
  cancel: (count) => m.proposals_booked_cancel({ count }),
  keep: () => m.practices_booked_keep(),
};

/**
 * The appointments that a leave or a closed practice concerns, and what happens to them. Their ids are sent, so that a newer one is never changed
 * unseen. Each has a free time to move to, by default the first one that no other appointment has.
 */
export function BookedVisits({ visits, free, choices, chosen }: BookedVisitsProps) {
  const first = allotTimes(visits, free, 1);
  const possible = choices.filter((choice) => free.length > 0 || choice === "cancel" || choice === "keep");
  const initial = possible.find((choice) => choice === chosen) ?? possible[0];
  return (
    <>
      {free.length === 0 && <Note className="mb-3">{m.proposals_no_free()}</Note>}
      <fieldset className="field">
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
        {visits.map((visit) => (
          <li key={visit.id}>
            <input type="hidden" name="visits" value={visit.id} />
            <AnyLink to={href("/doctor/patient/:id", { id: visit.id })}>
              {whenWord(visit)}: {visit.patientName}
            </AnyLink>
            {possible.includes("move") && (
              <FreeTimeSelect
                id={`move-${visit.id}`}
                name="moves"
                label={m.proposals_move_to()}
                free={free}
                chosen={first.get(visit.id)?.[0]}
                prefix={`${visit.id} `}
              />
            )}
          </li>
        ))}
      </ul>
      <CancelReasonField />
      <p className="text-sm text-ink-soft mt-2 mb-3">{m.proposals_booked_hint()}</p>
    </>
  );
}
