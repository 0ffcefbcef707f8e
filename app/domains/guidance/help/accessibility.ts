import type { DateKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** The day of the statement. Change it with the statement, after the tests that it names were repeated (docs/quality.md). */
export const STATEMENT_DATE: DateKey = "2026-11-23";

/** The parts of the accessibility statement. */
export const accessibilityParts = () => [
  { id: "works", title: m.access_works(), items: [m.access_works_1(), m.access_works_2(), m.access_works_3(), m.access_works_4()] },
  { id: "tested", title: m.access_tested(), items: [m.access_tested_1(), m.access_tested_2(), m.access_tested_3()] },
  {
    id: "known",
    title: m.access_known(),
    items: [m.access_known_1(), m.access_known_2(), m.access_known_4(), m.access_known_5()],
  },
];
