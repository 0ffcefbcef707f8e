/**
 * What `npm test` leaves to `npm run test:all`: long proofs and sweeps. The only list of it: vitest.config.ts, worker.ts beside it,
 * playwright.config.ts and scripts/specification.ts read it. A file that is run by name runs as a whole.
 */

/** True in `npm test`, which scripts/test.mjs sets. */
export const GATE = process.env.TEST_GATE === "1";

const allBut = (left: RegExp) => new RegExp(`^(?!.*(?:${left.source}))`);

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
  "tests/server/migrations.test.ts": null, // a migration that waits for a lock. The templates of each run are migrated.
  // One way of ending a relay, and one of a silent database, stay.
  "app/realtime/relay.db.test.ts": allBut(/while relays are killed|a process that hangs/),
  "app/server/database-silence.db.test.ts": allBut(/this process is busy/),
  "tests/routes/database-down.test.ts": allBut(/a form that is still arriving/),
  // Services that do not answer, until our own deadline: the same forms with services that refuse are in the files of their pages.
  "tests/server/hanging-bucket.test.ts": null,
  "tests/routes/online-payment.test.ts": allBut(/a provider that does not answer/),
  "tests/routes/cdn.test.ts": allBut(/while the receiver fails/),
  // Thousands of rows or connections.
  "tests/server/realtime.test.ts": allBut(/more than 500 connections/),
  "tests/routes/onboarding.test.ts": allBut(/searches 5,000 hospitals/),
  "app/domains/directory/doctors/directory.db.test.ts": allBut(/more than the counted maximum/),
  "app/domains/oversight/users/users.db.test.ts": allBut(/at most 10,000 accounts/),
  // Sweeps. Those of all pages in English stay (every-page.test.ts, budget.test.ts), and the others with fewer pages (swept.ts).
  "tests/routes/crawl.test.ts": /visitor/,
  "tests/e2e/languages.spec.ts": /s pages|fonts of the suite/,
  "tests/e2e/visit-layout.spec.ts": /pass axe|scripts/,
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
