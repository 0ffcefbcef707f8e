import { cancelReasonWord } from "#app/domains/visit-reasons.ts";
import { m } from "#app/paraglide/messages.js";
import { timeValue, whenWord } from "./proposal-times.ts";
import type { Proposal } from "./proposals.server.ts";

/** Returns a proposal in words, for `<ProposalAnswer>`. Loaders call it, so that its messages are not in the scripts of the appointment's page. */
export function proposalWords(visit: { date: string; time: string; doctorName: string }, { id, options, away, atDesk, until }: Proposal) {
  const facts = { doctor: visit.doctorName, when: whenWord(visit) };
  return {
    id,
    title: away ? m.proposals_away_title() : m.proposals_offer_title(),
    about: away
      ? `${m.proposals_away(facts)} ${cancelReasonWord(away)}`
      : atDesk
        ? m.proposals_offer_by_clinic(facts)
        : m.proposals_offer(facts),
    next:
      options.length === 0
        ? m.proposals_all_gone()
        : away
          ? m.proposals_away_text({ until: whenWord(until) })
          : m.proposals_offer_text({ until: whenWord(until) }),
    times: options.map((option) => ({
      value: timeValue(option),
      label: m.proposals_take({ when: [whenWord(option), option.place].filter(Boolean).join(", ") }),
    })),
    none: away ? m.proposals_cancel_visit() : m.proposals_keep(),
  };
}
