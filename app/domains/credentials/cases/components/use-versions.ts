import { useState } from "react";
import type { CaseDocument, Overtaken } from "../case-file.ts";

type Versioned = Pick<CaseDocument, "id" | "version">;

/**
 * Returns the version of a document's decision that the user has seen: that of the opened page, or of the last conflict (`detail`
 * of the response). A live refresh changes neither.
 */
export function useVersions(documents: readonly Versioned[], detail: unknown): (document: Versioned) => string {
  const [opened] = useState(() => new Map(documents.map(({ id, version }) => [id, version])));
  const current = (detail as Overtaken | undefined)?.versions;
  return ({ id, version }) => current?.[id] ?? opened.get(id) ?? version;
}
