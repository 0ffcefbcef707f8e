import { useState } from "react";
import type { CaseDocument, Overtaken } from "../case-file.ts";

type Versioned = Pick<CaseDocument, "id" | "version">;

/**
 * Which decision on a document the form was filled in over: what the page was opened with, or what a refusal told since
 * (`detail` of its answer). A page that news makes fresh by itself changes neither, as it asks nobody to look again.
 */
export function useVersions(documents: readonly Versioned[], detail: unknown): (document: Versioned) => string {
  const [opened] = useState(() => new Map(documents.map(({ id, version }) => [id, version])));
  const told = (detail as Overtaken | undefined)?.versions;
  return ({ id, version }) => told?.[id] ?? opened.get(id) ?? version;
}
