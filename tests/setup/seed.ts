/** Returns the seed of a random test: the one in this variable, to repeat a failure, or a new one. */
export const seedOf = (variable: "FUZZ_SEED" | "MESSAGES_SEED" | "MONEY_SEED" | "WAITLIST_SEED"): number =>
  Number(process.env[variable] ?? Math.floor(Math.random() * 1e9));
