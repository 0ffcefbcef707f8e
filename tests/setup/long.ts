/**
 * What `npm test` leaves to `npm run test:all`: long proofs, sweeps and special cases. The only list of it: vitest.config.ts, worker.ts beside it,
 * playwright.config.ts and scripts/specification.ts read it. A file whose pages have changed runs as a whole (changed.ts), and one that is run by
 * name.
 */

/** True in `npm test`, which scripts/test.mjs sets. */
export const GATE = process.env.TEST_GATE === "1";

const allBut = (left: RegExp) => ({ left });

/** Of each file the tests that stay in `npm test`, by their title with that of their groups. Null: none, and the comment says what does. */
export const LONG: Record<string, RegExp | { left: RegExp } | null> = {
  // Processes, clusters and outages: one test of each kind.
  "tests/server/backup.test.ts": /restores every row, sequence/,
  "tests/server/commands.test.ts": null, // the log and its seals: app/domains/platform/audit
  "tests/server/embedded.test.ts": null, // `npm start` starts it. Each run has a database that starts in the same way.
  "tests/server/failover.test.ts": null,
  "tests/server/live-outage.test.ts": null,
  "tests/server/process.test.ts": /a port in use/, // the ready line and CLOCK_FILE: nearly every test of HTTP
  "tests/server/production.test.ts": /dev\/outbox|outside demo mode/,
  "tests/server/redis.test.ts": null, // an address of Redis is an option. The same events without it: realtime.test.ts
  "tests/server/roles.test.ts": allBut(/refuses a superuser as the role|^npm run roles/),
  "tests/server/rotation.test.ts": null,
  "tests/server/slow-bodies.test.ts": /answers a form that is too slow/,
  "tests/server/standby.test.ts": null,
  "tests/server/start-payments.test.ts": null, // a command of developers
  "tests/server/supervisor.test.ts": /a killed worker is replaced/,
  "tests/server/two-processes.test.ts": null, // what processes tell each other: relay.db.test.ts
  "tests/server/workers.test.ts": null,
  "tests/server/migrations.test.ts": null, // a migration that waits for a lock. The templates of each run are migrated.
  // One way of ending a relay stays, and one outage of the database.
  "app/realtime/relay.db.test.ts": allBut(/while relays are killed|a process that hangs/),
  "app/server/database-silence.db.test.ts": null,
  "tests/routes/database-down.test.ts": /^down: pages answer/,
  // Services that do not answer, until our own deadline: the same forms with services that refuse are in the files of their pages.
  "tests/server/hanging-bucket.test.ts": null,
  "tests/routes/cdn.test.ts": allBut(/^purges/),
  "tests/routes/online-payment.test.ts": allBut(/a provider that does not answer/),
  "tests/routes/sos.test.ts": allBut(/with the database frozen|both providers time out/),
  "tests/routes/races.test.ts": allBut(/^200 patients/), // thirty move to one slot beside thirty bookings
  "tests/routes/queue.test.ts": allBut(/a killed server/),
  "tests/routes/passkeys.test.ts": allBut(/on an IP address/), // a server of its own
  "app/domains/clinic/imports/imports.db.test.ts": allBut(/limits uploads and checks of a day/),
  // Thousands of rows or connections.
  "tests/server/realtime.test.ts": allBut(/more than 500 connections/),
  "tests/server/answers.test.ts": allBut(/sends hundreds at once/),
  "tests/routes/onboarding.test.ts": allBut(/searches 5,000 hospitals/),
  "app/domains/directory/doctors/directory.db.test.ts": allBut(/more than the counted maximum/),
  "app/domains/messages/delivery/delivery.db.test.ts": allBut(/seed [23]/),
  "app/domains/oversight/users/users.db.test.ts": allBut(/at most 10,000 accounts/),
  "app/domains/booking/reviews/reviews.db.test.ts": allBut(/two hundred concurrent reviews/),
  // Limits counted in further ways, and further cases of one rule.
  "app/domains/booking/appointments/token-races.db.test.ts": allBut(/^leave today/),
  "app/domains/messages/answers/any-order.db.test.ts": allBut(/tells the new owner/),
  "demo/seed.db.test.ts": null, // nearly every test of HTTP reads the demo
  "tests/routes/limits.test.ts": allBut(
    /survive a restart|100 checks an hour|for all unknown devices together|after 20 sends an hour|of an IPv6/,
  ),
  "tests/api/platform.test.ts": allBut(/200 calls at once|more than 300 calls|when the database is/),
  "tests/api/verification-status.test.ts": allBut(/limits the calls|of one IPv6 network/),
  "app/domains/money/online/transfers.db.test.ts": allBut(/after the fourth attempt/),
  "app/domains/money/online/account-return.db.test.ts": allBut(
    /refuses the transfer|fails the transfer|two jobs and|gets nothing back|waits while/,
  ),
  // Roles that the guard of each route refuses, which app/routes.test.ts proves without a server.
  "tests/routes/admin.test.ts": allBut(/get nothing and change nothing on every admin page/),
  "tests/routes/clinic-access.test.ts": allBut(
    /(billing|patient) (reads|sees)|suspended reads|doctor reads|reviewer reads|manager reads|admin reads/,
  ),
  // Sweeps. That of all pages in English and Telugu stays (every-page.test.ts), and the others with fewer pages (swept.ts).
  "tests/routes/crawl.test.ts": null, // addresses on pages that lead nowhere; the pages themselves: every-page.test.ts
  "tests/server/budget.test.ts": null, // bytes and statements of each page
  // That the GET of each page changes no row: every-page.test.ts.
  "tests/routes/reads.test.ts": /for a visitor|what a key or a code opens/,
  "tests/routes/every-page.test.ts": allBut(/^(one language|formats) hi/),
  "tests/server/first-view.test.ts": /^dashboard in|^date and time|^splash in|next page links|login page requests/,
  "tests/server/hardening.test.ts": allBut(/admin at .*refuses/),
  "tests/e2e/languages.spec.ts": /s pages|fonts of the suite/,
  "tests/e2e/visit-layout.spec.ts": null, // a page whose file has changed: pages.spec.ts, languages.spec.ts
  "tests/e2e/staff-layout.spec.ts": null, // the same
  "tests/e2e/vowel-signs.spec.ts": /finds a vowel sign/,
  // The pages of the short list with double text size, in Telugu: languages.spec.ts.
  "tests/e2e/large-text.spec.ts": allBut(/ pages, also with large text/),
  "tests/e2e/queue.spec.ts": allBut(
    /a press without a network|the menu of a row|the pages of a queue pass axe|a change that cannot be loaded/,
  ),
  // The same journey in English: journey.spec.ts. Each page in Telugu: every-page.test.ts.
  "tests/e2e/language-journey.spec.ts": null,
  "tests/e2e/embed.spec.ts": /a listed website/,
  "tests/e2e/live-two-servers.spec.ts": null, // two processes behind one address: two-processes.spec.ts
  // Journeys over many pages whose forms need no script, each proved over HTTP. journey.spec.ts, queue.spec.ts and sos.spec.ts stay.
  "tests/e2e/clinic-day.spec.ts": null,
  "tests/e2e/doctor-joins.spec.ts": allBut(/a password can be shown|becomes verified through/),
  "tests/e2e/doctor-profile.spec.ts": allBut(
    /changes the password in a dialog|shows that it is saving|opens one answer of the questions|asks before logging out|every page passes axe|edits the profile: the fee/,
  ),
  "tests/e2e/import.spec.ts": null,
  "tests/e2e/leave.spec.ts": null,
  "tests/e2e/money.spec.ts": null,
  "tests/e2e/patient-profile.spec.ts": allBut(
    /shows that it is saving|help finds an answer|sees who opened a visit|books for a family member/,
  ),
  "tests/e2e/phone.spec.ts": null,
  "tests/e2e/reviews-wallet.spec.ts": null,
  "tests/e2e/staff-admin.spec.ts": null,
  "tests/e2e/tokens.spec.ts": null,
  "tests/e2e/walk-in-visit.spec.ts": null,
  "tests/e2e/first-booking.spec.ts": allBut(/from a doctor's page|a photo over the limit/),
  // Browsers: of tests that differ by a page, a language, a fault of the browser or a size, one of each kind.
  "tests/e2e/agenda.spec.ts": allBut(/opens the details beside|reads a day of 60 appointments|the columns of the desk fit/),
  "tests/e2e/appointment.spec.ts": allBut(/at (390|1280) px|any time zone/),
  "tests/e2e/banners.spec.ts": allBut(/an error of the previous page/),
  "tests/e2e/assistant.spec.ts": allBut(
    /four questions to start|a file is marked|list of chats scrolls|above 108 \((te|hi)|SOS opens at its top with Back|an ended session shows a message|a failure for a doctor|a question in Telugu gets|a doctor opens the chat/,
  ),
  "tests/e2e/assistant-voice.spec.ts": null, // a server with a model for it alone. Voice messages: tests/routes/assistant-files.test.ts
  "tests/e2e/babies.spec.ts": null, // tests/routes/babies.test.ts
  "tests/e2e/city.spec.ts": allBut(
    /the enquiry: all three|denied: tries|the dashboard: four|Enter chooses the marked city|a position that is|a browser without geolocation|the pauses of the specification|Contact Support is above|nothing covers the text|a category: its doctors|every page of this area passes axe/,
  ),
  // Its steps are in the HTTP tests of the desk, the waitlist, leave and members.
  "tests/e2e/clinic.spec.ts": null,
  "tests/e2e/confirmation.spec.ts": / te/,
  "tests/e2e/directory.spec.ts": allBut(/typed before the scripts|a visitor is offered|a chip of|a hospital is filtered/),
  "tests/e2e/doctor-day.spec.ts": allBut(
    /adds a week by pattern|goes through the day|was cancelled meanwhile|the day sheet|a slow list shows that it is loading|Cancel shares a line|cards are side by side|refuses a day of another doctor|double text size cuts|covers nothing and is not wider/,
  ),
  "tests/e2e/feedback.spec.ts": allBut(
    /nothing moves|the search for a city shows|a press on a choice|does not animate the line|the dock stays/,
  ),
  "tests/e2e/hospital-map.spec.ts": /shows the map|a refused key/,
  "tests/e2e/idle-warning.spec.ts": allBut(/tells a screen reader/),
  "tests/e2e/language.spec.ts": allBut(/(hi|te): the switch|a toast follows/),
  "tests/e2e/live.spec.ts": allBut(/other tabs/),
  "tests/e2e/no-network.spec.ts": allBut(/preserves the profile form|a refused form when the network/),
  // The HTTP tests of online payments have the same outage and refunds.
  "tests/e2e/money-outage.spec.ts": null,
  "tests/e2e/money-refunds.spec.ts": null,
  "tests/e2e/offline.spec.ts": allBut(
    /a doctor's browser stores|a session that ended elsewhere|a stored page of more than a week|the app starts at/,
  ),
  "tests/e2e/onboarding.spec.ts": allBut(
    /input and uploads survive|an upload after a refused|the status page follows the case|requests a status again|the pages pass axe/,
  ),
  "tests/e2e/passkeys.spec.ts": allBut(
    /a passkey confirms|a form whose proof expired|scripts of passkeys load|reports a cancelled passkey/,
  ),
  "tests/e2e/push.spec.ts": allBut(
    /a patient turns|a (\$\{role\}|doctor) turns|browsers that can|Home Screen of an iPhone|another attempt after/,
  ),
  "tests/e2e/sos.spec.ts": allBut(
    /ignores the second press|completes after the last hospital|a refusal while the user types|a browser that never answers|an answered request to the browser/,
  ),
  "tests/e2e/sos-no-network.spec.ts": allBut(
    /SOS on \/|without a worker a dialog|reader \((te|hi)|stays until a slow answer|two tabs open SOS|a worker from before|numbers \((te|hi)|patient's \/(patient|hospital)|the dialog of the role choice|a server that is down|the form with a place/,
  ),
  "tests/e2e/staff-reviewer.spec.ts": allBut(
    /opens the documents, requests one|shows a number once|refuses to approve with|M and A decide|contradicts the specialty|decisions of a reviewer|reports an image|a colleague decided|refuses the second of two windows/,
  ),
  "tests/e2e/tv-day.spec.ts": null, // hours of a television. What it shows: tests/routes/screen.test.ts, waiting-room.spec.ts
  "tests/e2e/toasts.spec.ts": allBut(/every one of many/),
  "tests/e2e/two-processes.spec.ts": null, // what processes tell each other: relay.db.test.ts
  "tests/e2e/under-way.spec.ts": allBut(
    /lists and a hospital show|Resend is enabled|removes the time of the day before|a doctor's application and slots|older notifications show|a doctor's question is shown/,
  ),
  "tests/e2e/visit.spec.ts": allBut(
    /text typed without a network|favourites and the last prescription|comes back after the login|the second of two tabs/,
  ),
  "tests/e2e/weight.spec.ts": null, // the size of scripts, which changes slowly
  // An open page that follows: queue.spec.ts. What each screen shows: tests/routes/token.test.ts, screen.test.ts and queue.test.ts.
  "tests/e2e/waiting-room.spec.ts": /a screen without a network/,
  "tests/e2e/dev.spec.ts": null, // the server of development: no page of the product depends on it
};

/**
 * The HTTP tests of which `npm test` runs the first of each group: the way through a feature. Its refusals, races and special cases are in
 * `npm run test:all`, and those of its commands in the tests of app/domains, nearly all of which always run. Other HTTP tests run whole but for the
 * list above: logins, sessions, limits, proofs, forged and hostile requests, who may read and change what, booking.
 */
export const BEGINNINGS: ReadonlySet<string> = new Set(
  [
    "admin-help",
    "admin-hospitals",
    "admin-lists",
    "admin-payments",
    "admin-reconciliation",
    "admin-users",
    "agenda",
    "appointment",
    "appointment-statuses",
    "arrive",
    "assistant",
    "assistant-files",
    "babies",
    "booking-documents",
    "booking-payment",
    "calendar",
    "calendar-feed",
    "desk",
    "desk-caller",
    "directory",
    "doctor-day",
    "doctor-profile",
    "doctor-profile-changes",
    "doctor-settings",
    "doctor-side",
    "domain-events-jobs",
    "events",
    "expired-session",
    "faces",
    "family",
    "favourites",
    "leave-journey",
    "location",
    "notification-email",
    "onboarding",
    "onboarding-details",
    "onboarding-status",
    "onboarding-submission",
    "online-payment",
    "patient-profile",
    "payout-account",
    "place-begins",
    "place-results",
    "practice-mode",
    "prepayment",
    "proposals",
    "queue",
    "records",
    "refund-policy",
    "resubmission",
    "reviewer-documents",
    "screen",
    "settlements",
    "share-cards",
    "short-names",
    "support",
    "test-orders",
    "token",
    "visit",
    "waitlist",
    "wallet",
    "week",
  ].map((name) => `tests/routes/${name}.test.ts`),
);
/** Tests that add up what all tests of their file did. */
const SUMS = /^(records one event for each state change|is followed by notifications of the end)/;

/** True for a test that only `npm run test:all` runs. `place`: its place among the tests of its group, from 0. */
export const isAfterBeginning = (file: string, name: string, place: number): boolean =>
  BEGINNINGS.has(file) && (place > 0 || SUMS.test(name));

/** True for a test that only `npm run test:all` runs. */
export function isLong(file: string, title: string): boolean {
  const kept = LONG[file];
  if (!kept) return kept === null;
  return "left" in kept ? kept.left.test(title) : !kept.test(title);
}

/** The same for Playwright, in whose full titles the file comes first. `isWhole`: files that run as a whole all the same. */
export const longInBrowsers = (isWhole = (_file: string) => false) =>
  Object.entries(LONG)
    .filter(([file]) => file.endsWith(".spec.ts") && !isWhole(file))
    .map(([file, kept]) => {
      const name = file.split("/").at(-1)!.replaceAll(".", "\\.");
      if (!kept) return new RegExp(name);
      return new RegExp("left" in kept ? `${name}.*(${kept.left.source})` : `${name}(?!.*(${kept.source}))`);
    });
