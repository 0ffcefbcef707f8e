import { Form, href } from "react-router";
import { cancelReasonWord } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { type ProposedTime, timeValue, whenWord } from "../proposal-times.ts";

type ProposalAnswerProps = {
  appointment: { id: string; date: string; time: string; doctorName: string };
  proposal: { id: string; options: (ProposedTime & { place: string | null })[]; away: string | null; until: ProposedTime };
};

/** The times that the doctor proposes, and the patient's choice: take one, or none of them. */
export function ProposalAnswer({ appointment: a, proposal }: ProposalAnswerProps) {
  const { options, away } = proposal;
  return (
    <Note tone="warn" className="section tight">
      <h2>{away ? m.proposals_away_title() : m.proposals_offer_title()}</h2>
      <p>
        {away
          ? m.proposals_away({ doctor: a.doctorName, when: whenWord(a) })
          : m.proposals_offer({ doctor: a.doctorName, when: whenWord(a) })}{" "}
        {cancelReasonWord(away)}
      </p>
      <p className="mb">
        {options.length === 0
          ? m.proposals_all_gone()
          : away
            ? m.proposals_away_text({ until: whenWord(proposal.until) })
            : m.proposals_offer_text({ until: whenWord(proposal.until) })}
      </p>
      <Form method="post" action={href("/patient/appointments/:id/proposal", { id: a.id })} className="stack">
        <input type="hidden" name="proposal" value={proposal.id} />
        {options.map((option) => (
          <SubmitButton key={timeValue(option)} name="answer" value={timeValue(option)} full>
            {m.proposals_take({ when: [whenWord(option), option.place].filter(Boolean).join(", ") })}
          </SubmitButton>
        ))}
        <SubmitButton name="answer" value="none" variant="second" full>
          {away ? m.proposals_cancel_visit() : m.proposals_keep()}
        </SubmitButton>
      </Form>
    </Note>
  );
}
