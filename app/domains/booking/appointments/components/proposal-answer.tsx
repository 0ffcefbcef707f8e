import { Form, href } from "react-router";
import { cancelReasonWord } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { type Proposal, timeValue, whenWord } from "../proposal-times.ts";

type Visit = { id: string; date: string; time: string; doctorName: string };

/** The times that the doctor proposes, and the patient's choice: take one, or none of them. */
export function ProposalAnswer({ visit, proposal: { id, options, away, until, atDesk } }: { visit: Visit; proposal: Proposal }) {
  return (
    <Note tone="warn" className="mt-4">
      <h2>{away ? m.proposals_away_title() : m.proposals_offer_title()}</h2>
      <p>{aboutWord(visit, { away, atDesk })}</p>
      <p className="mb-3">
        {options.length === 0
          ? m.proposals_all_gone()
          : away
            ? m.proposals_away_text({ until: whenWord(until) })
            : m.proposals_offer_text({ until: whenWord(until) })}
      </p>
      <Form method="post" action={href("/patient/appointments/:id/proposal", { id: visit.id })} className="space-y-4">
        <input type="hidden" name="proposal" value={id} />
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

function aboutWord(visit: Visit, { away, atDesk }: Pick<Proposal, "away" | "atDesk">): string {
  const facts = { doctor: visit.doctorName, when: whenWord(visit) };
  if (away) return `${m.proposals_away(facts)} ${cancelReasonWord(away)}`;
  return atDesk ? m.proposals_offer_by_clinic(facts) : m.proposals_offer(facts);
}
