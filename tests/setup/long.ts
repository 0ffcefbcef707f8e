/**
 * What `npm test` leaves to `npm run test:all`: long proofs and sweeps. The only list of it: vitest.config.ts, worker.ts beside it,
 * playwright.config.ts and scripts/specification.ts read it. A file that is run by name runs as a whole.
 */

/** True in `npm test`, which scripts/test.mjs sets. */
export const GATE = process.env.TEST_GATE === "1";

/** Of each file the tests that stay in `npm test`, by their title with that of their groups. Null: none, and the comment says what does. */
export const LONG: Record<string, RegExp | null> = {
  // Processes, clusters and outages: one test of each kind.
  "tests/server/backup.test.ts": /restores every row, sequence|is encrypted, opens as a tar/,
  "tests/server/commands.test.ts": /creates an account that logs in|moves old rows to a file|verifies the log with archived rows/,
  "tests/server/embedded.test.ts": /two starts at once use one database/,
  // A standby that is read: standby.test.ts. A database that is away: tests/routes/database-down.test.ts.
  "tests/server/failover.test.ts": null,
  "tests/server/live-outage.test.ts": null,
  "tests/server/process.test.ts": /CLOCK_FILE|prints the ready line|a port in use|every problem of the environment/,
  "tests/server/production.test.ts": /dev\/outbox|outside demo mode/,
  "tests/server/redis.test.ts": /brings an event to a socket/,
  "tests/server/rotation.test.ts": /a code sent under one secret/,
  "tests/server/slow-bodies.test.ts": /answers a form that is too slow/,
  "tests/server/standby.test.ts": /public pages are read from the standby/,
  "tests/server/supervisor.test.ts": /a killed worker is replaced/,
  "tests/server/two-processes.test.ts": /drops a page that both cache|sends each email once/,
  "tests/server/workers.test.ts": /a session and its end/,
  // Sweeps of every page and form. HTML, words and formats of each page stay (every-page.test.ts), and its budget.
  "tests/routes/crawl.test.ts": /visitor|patient/,
  "tests/e2e/languages.spec.ts": /te: a (visitor|patient)'s pages|fonts of the suite/,
  "tests/e2e/large-text.spec.ts": /Contact Support hides|focus outline/,
  "tests/e2e/pages.spec.ts": /a (visitor|patient)'s pages|refused form|cancels a visit/,
  "tests/e2e/staff-layout.spec.ts": /a wide screen shows/,
  "tests/e2e/visit-layout.spec.ts": /scripts/,
  "tests/e2e/language-journey.spec.ts": /te /,
  "tests/e2e/embed.spec.ts": /a listed website/,
  "tests/e2e/live-two-servers.spec.ts": null, // two processes behind one address: two-processes.spec.ts
};

/**
 * The journeys that `npm test` repeats without scripts, because their pages differ then. The HTTP tests have no scripts anyway; tests with
 * the tag @no-js always run.
 */
export const WITHOUT_SCRIPTS = new RegExp(
  [
    "a patient asks, books from the answer",
    "a message to be read stays",
    "a place without JavaScript",
    "the enquiry: all three fields",
    "opens a clinic, books and moves a caller",
    "a visitor searches with a typing error",
    "adds a week by pattern",
    "a form without a file works",
    "a booking comes back filled in after the login",
    "a new patient books the nearest",
    "a patient books a doctor, who accepts",
    "offers the patients of a closed day other times",
    "every paisa is applied or returned",
    "input and uploads survive",
    "books for a family member",
    "writes a review of a visit",
    "from the button to help, and to Start Over",
    "a reviewer opens the documents",
    "books a session with a token",
    "four typed medicines are signed",
    "gives the freed time to the patient",
    "a walk-in gets a token",
  ].join("|"),
);

/** True for a test that only `npm run test:all` runs. */
export function isLong(file: string, title: string): boolean {
  const kept = LONG[file];
  return kept !== undefined && (kept === null || !kept.test(title));
}

/** For Playwright, in whose full titles the file comes first. */
export const LONG_BROWSER = Object.entries(LONG)
  .filter(([file]) => file.endsWith(".spec.ts"))
  .map(([file, kept]) => {
    const name = file.split("/").at(-1)!.replaceAll(".", "\\.");
    return new RegExp(kept ? `${name}(?!.*(${kept.source}))` : name);
  });
