/** Returns true if a rule of a state table (`*.state.ts`) leads on from this state. */
export const leadsFrom = (rule: { from: readonly string[] }, state: string): boolean => rule.from.includes(state);

/** Returns true if a rule of a state table leads on from this state, and `by` may do it. */
export const allows = (rule: { from: readonly string[]; by: readonly string[] }, state: string, by: string): boolean =>
  leadsFrom(rule, state) && rule.by.includes(by);
