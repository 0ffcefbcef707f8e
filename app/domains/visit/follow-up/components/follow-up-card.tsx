import { Form } from "react-router";
import { formatDayShort } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/pieces.tsx";
import type { ShownFollowUp } from "../shown-follow-up.ts";

/**
 * The next visit that the doctor asked for, with one press to free times around its day. `action`: the page of the appointment, which fills in
 * the booking for the same patient. `to`: the calendar, for a visit without an appointment.
 */
export function FollowUpCard({ followUp: { doctor, patient, on }, action, to }: { followUp: ShownFollowUp; action?: string; to?: string }) {
  const go = m.visit_again_go();
  return (
    <Card as="section" className="mt-4">
      <p>
        <b>{m.visit_again({ doctor, patient, date: formatDayShort(on) })}</b>
      </p>
      {action ? (
        <Form method="post" action={action}>
          <SubmitButton className="mt-2">{go}</SubmitButton>
        </Form>
      ) : (
        to && (
          <LinkButton to={to} className="mt-2">
            {go}
          </LinkButton>
        )
      )}
    </Card>
  );
}
