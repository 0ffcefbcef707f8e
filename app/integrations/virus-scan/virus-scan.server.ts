/** Looks for malware in documents. */
export type VirusScanner = {
  /** @throws DomainError("unavailable") when the scanner does not answer: the file is not stored then */
  scan(bytes: Uint8Array): Promise<"clean" | "infected">;
};
