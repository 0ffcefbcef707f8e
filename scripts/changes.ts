/** `node scripts/changes.ts`: writes docs/changes.md from the table of consequences (app/domains/platform/changes). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECTIONS } from "#app/domains/platform/changes/changes.ts";
import type { Consequences } from "#app/domains/platform/changes/consequences.ts";
import { isEventKind } from "#app/domains/platform/events/event-kinds.ts";
import { NOTIFICATION_KINDS, type NotificationKind, type NotificationLook } from "#app/domains/platform/notifications/kinds.ts";
import { PUSH_GROUPS } from "#app/domains/platform/notifications/push-groups.ts";

const code = (name: string) => `\`${name}\``;

/** Where else a notification is sent: "email, SMS, browser". */
function sentAs(kind: NotificationKind): string {
  const { email, sms }: NotificationLook = NOTIFICATION_KINDS[kind];
  const ways = [email && "email", sms && "SMS", PUSH_GROUPS[kind] && "browser"].filter(Boolean);
  return ways.length ? `${code(kind)} (${ways.join(", ")})` : code(kind);
}

function line(kind: string, row: Consequences): string {
  const { audit, notify = {}, live = [], desks, queue, pages, email } = row;
  const entry = audit ? `${code(audit.action ?? kind)} of ${audit.of}${audit.person ? `, for ${audit.person}` : ""}` : "–";
  const told = Object.entries(notify).map(([who, kinds]) => `${who}: ${kinds.map(sentAs).join(" or ")}`);
  const open = [...live, ...(desks ? ["desk"] : []), ...(queue ? ["queue"] : [])].join(", ");
  const cells = [code(kind), entry, isEventKind(kind) ? "yes" : "–", [...told, ...(email ? [code(email)] : [])].join("; ") || "–"];
  return `| ${[...cells, open || "–", pages ?? "–"].join(" | ")} |`;
}

/** Returns the text of docs/changes.md. */
export function describeChanges(): string {
  const head = "| change | audit entry | event | notified | open pages | public pages |\n|---|---|---|---|---|---|\n";
  const sections = SECTIONS.map(
    ({ title, rows }) =>
      `## ${title}\n\n${head}${Object.entries<Consequences>(rows)
        .map(([kind, row]) => line(kind, row))
        .join("\n")}\n`,
  );
  return `# What follows from each change

Written by \`node scripts/changes.ts\` from the table in [changes](../app/domains/platform/changes/README.md). A command records its change once (\`recordChange\`), and all of a line follows in its transaction.

A change with an event is a transition of a [state table](state-machines.md), and partners of a place get it by webhook. "or": one of these texts. Open pages: those of this user, of the members at the desk, of the queue load again. Public pages: what shows the doctor, or all of the directory, is dropped from caches and CDNs.

${sections.join("\n")}`;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "../docs/changes.md"), describeChanges());
