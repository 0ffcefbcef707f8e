import type { DocumentReason } from "#app/db/schema/index.ts";

/** The last rejection of an application. */
export type Rejection = { at: Date; by: "hospital" | "admin"; note: string | null; reasons: DocumentReason[] };
