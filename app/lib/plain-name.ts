/** Returns a name as it is compared: equal for two spellings of one name. Stored keys are hashes of it, so it must not change. */
export const plainName = (name: string | null): string => (name ?? "").normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
