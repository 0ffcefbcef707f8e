import type { SupportState, SupportTopic } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const TOPICS: Record<SupportTopic, () => string> = {
  appointment: () => m.support_topic_appointment(),
  payment: () => m.support_topic_payment(),
  account: () => m.support_topic_account(),
  records: () => m.support_topic_records(),
  problem: () => m.support_topic_problem(),
  other: () => m.support_topic_other(),
};
export const topicWord = (topic: SupportTopic) => TOPICS[topic]();

const STATES: Record<SupportState, () => string> = {
  open: () => m.support_state_open(),
  answered: () => m.support_state_answered(),
  closed: () => m.support_state_closed(),
};
export const stateWord = (state: SupportState) => STATES[state]();
