import { href } from "react-router";
import type { TimelineEntry } from "../../records/timeline.ts";
import type { ShareKind } from "../share.ts";

/** The page that makes a link to an entry; null for entries that have none. */
export function shareLink(entry: TimelineEntry): string | null {
  const page = (kind: ShareKind) => href("/patient/records/share/:kind/:id", { kind, id: entry.id });
  if (entry.kind === "document") return page(entry.own ? "own" : "attached");
  return "state" in entry && entry.state === "signed" ? page("signed") : null;
}
