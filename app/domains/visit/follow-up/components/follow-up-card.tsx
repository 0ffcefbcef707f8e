import { Form } from "react-router";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/pieces.tsx";
import type { ShownFollowUp } from "../shown-follow-up.ts";

/**
 * The next visit that the doctor asked for, with one press to free times around its day. `action`: the page of the appointment, which fills in
 * the booking for the same patient. `to`: the calendar, for a visit without an appointment.
 */
export function FollowUpCard({ followUp: { text, go }, action, to }: { followUp: ShownFollowUp; action?: string; to?: string }) {
  return (
    <Card as="section" className="mt-4">
      <p>
        <b>{text}</b>
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
