/** Returns the address of a sender: "Nadi <no-reply@nadi.invalid>" or the bare address. */
export const addressOf = (from: string): string => (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
