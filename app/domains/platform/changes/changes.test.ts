import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { STATE_TABLES, transitionsOf } from "../../../../tests/setup/state-tables.ts";
import { VERIFICATION_ACTIONS, type VerificationAction } from "../../credentials/cases/verification.state.ts";
import { EVENT_ACTIONS, type EventSubject } from "../events/event-kinds.ts";
import { NOTIFICATION_KINDS, type NotificationKind } from "../notifications/kinds.ts";
import { CHANGES, type ChangeKind, SECTIONS } from "./changes.ts";
import type { Consequences } from "./consequences.ts";

const APP = join(import.meta.dirname, "../../..");
const kinds = Object.keys(CHANGES) as ChangeKind[];
const sources = globSync("**/*.ts", { cwd: APP })
  .filter((path) => !path.startsWith("paraglide/") && !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(join(APP, path), "utf8") }));

describe("the table of consequences", () => {
  it.each(Object.keys(STATE_TABLES) as EventSubject[])("has a row for each transition of the state table: %s", (subject) => {
    const transitions = transitionsOf(subject).map((transition) => transition.split(" from ")[0]!);
    expect(transitions.filter((kind) => !(kind in CHANGES))).toEqual([]);
    expect(new Set(transitions)).toEqual(new Set(EVENT_ACTIONS[subject].map((action) => `${subject}.${action}`)));
  });

  it("has each change in one section", () => {
    const all = SECTIONS.flatMap(({ rows }) => Object.keys(rows));
    expect(all.length).toBe(new Set(all).size);
    expect(all.toSorted()).toEqual(kinds.toSorted());
  });

  it("notifies of a case whom its state table names", () => {
    const names: Record<string, string> = { administrators: "admins" };
    for (const action of Object.keys(VERIFICATION_ACTIONS) as VerificationAction[]) {
      const { notify = {} }: Consequences = CHANGES[`doctor.${action}`];
      expect(Object.keys(notify).map((who) => names[who] ?? who)).toEqual(VERIFICATION_ACTIONS[action].notifies);
    }
  });

  it("has every kind of notification, except the announcement, which a job delivers in batches", () => {
    const texts = new Set(kinds.flatMap((kind) => Object.values((CHANGES[kind] as Consequences).notify ?? {}).flat()));
    const others = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[]).filter((kind) => !texts.has(kind));
    expect(others).toEqual(["announcement"]);
  });

  it("has only rows that a command records", () => {
    // The second argument: a kind, a choice of kinds, or a kind with a part that the command knows.
    const calls = sources.flatMap(({ text }) => [
      ...[...text.matchAll(/"([a-z][a-z.-]+)"/g)].map(([, kind]) => kind!),
      ...[...text.matchAll(/`((?:[a-z.-]|\$\{[\w.]+\})+)`/g)].map(([, kind]) => kind!),
    ]);
    const patterns = new Set(calls);
    const templates = [...patterns]
      .filter((call) => call.includes("${"))
      .map((call) => new RegExp(`^${call.replace(/\$\{[^}]+\}/g, "[a-z-]+")}$`));
    expect(kinds.filter((kind) => !patterns.has(kind) && !templates.some((template) => template.test(kind)))).toEqual([]);
  });
});

/** The only places that write these tables, beside `records.server.ts`. The list can only become shorter. */
const WRITERS: Record<string, { writes: RegExp; files: string[] }> = {
  "audit entries": {
    writes: /insert\(auditLog\)|insert into audit_log/,
    // Readings, refusals, and the archive of the log itself.
    files: [
      "domains/platform/audit/archive-log.server.ts",
      "domains/platform/audit/record-refusal.server.ts",
      "domains/platform/audit/record.server.ts",
    ],
  },
  events: { writes: /insert\(domainEvents\)|insert into domain_events/, files: [] },
  notifications: {
    writes: /insert\(notifications\)|insert into notifications/,
    files: ["domains/oversight/announcements/deliver-announcement.server.ts"],
  },
  // Ended sessions, added jobs, and notifications that their reader marked.
  "live events": { writes: /insert\(liveEvents\)/, files: ["realtime/channels.server.ts"] },
};
it.each(Object.entries(WRITERS))("%s are written with their change", (_, { writes, files }) => {
  expect(
    sources
      .filter(({ text }) => writes.test(text))
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(files);
});
