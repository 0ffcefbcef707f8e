import { describe, expect, it } from "vitest";
import { STATE_TABLES } from "../../../../tests/setup/state-tables.ts";
import { EVENT_ACTIONS, type EventSubject } from "./event-kinds.ts";

describe("kinds of events", () => {
  it.each(Object.entries(STATE_TABLES))("are the actions of the state table, after the first: %s", (subject, table) => {
    const [first, ...rest] = EVENT_ACTIONS[subject as EventSubject];
    expect(Object.keys(table)).not.toContain(first);
    expect(rest.toSorted()).toEqual(Object.keys(table).toSorted());
  });
});
