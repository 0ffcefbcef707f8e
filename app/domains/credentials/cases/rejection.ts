import type { DocumentReason } from "#app/db/schema/index.ts";

/** What was said when the application was last sent back. */
export type Rejection = { at: Date; by: "hospital" | "admin"; note: string | null; reasons: DocumentReason[] };
