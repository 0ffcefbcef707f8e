import { Form, href } from "react-router";
import { SubmitButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { proposalWords } from "../proposal-words.ts";

/** The times that the doctor proposes, and the patient's choice: take one, or none of them. */
export function ProposalAnswer({ id, proposal }: { id: string; proposal: ReturnType<typeof proposalWords> }) {
  return (
    <Note tone="warn" className="mt-4">
      <h2>{proposal.title}</h2>
      <p>{proposal.about}</p>
      <p className="mb-3">{proposal.next}</p>
      <Form method="post" action={href("/patient/appointments/:id/proposal", { id })} className="space-y-4">
        <input type="hidden" name="proposal" value={proposal.id} />
        {proposal.times.map(({ value, label }) => (
          <SubmitButton key={value} name="answer" value={value} full>
            {label}
          </SubmitButton>
        ))}
        <SubmitButton name="answer" value="none" variant="second" full>
          {proposal.none}
        </SubmitButton>
      </Form>
    </Note>
  );
}
