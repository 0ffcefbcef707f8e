import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { SlotProblem as Problem } from "../choices.ts";
import { NearestTimes } from "./nearest-times.tsx";

/** Shows why a slot cannot be booked, with the way on below: the own appointment, or the nearest free times. */
export function SlotProblem({
  problem,
  explained = false,
  address,
  elsewhere,
  inForm,
}: {
  problem: Problem;
  /** The error summary has shown why. */
  explained?: boolean;
  address: (slot: { date: string; time: string }) => string;
  elsewhere: string;
  /** Shown inside the booking form. */
  inForm: boolean;
}) {
  if (problem.own !== null)
    return (
      <Note tone="ok" role="status" className="mb-3">
        <p className="mb-3">{m.appointments_slot_own()}</p>
        <LinkButton to={href("/patient/appointments/payment/:id", { id: problem.own })} variant="second">
          {m.appointments_slot_own_open()}
        </LinkButton>
      </Note>
    );
  return (
    <>
      {!explained && (
        <Note tone="bad" role="status" className="mb-3">
          {problem.sentence}
        </Note>
      )}
      <NearestTimes nearest={problem.nearest} address={address} elsewhere={elsewhere} inForm={inForm} />
    </>
  );
}
