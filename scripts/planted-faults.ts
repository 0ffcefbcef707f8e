/**
 * Faults that the tests must find, planted one after the other: `node scripts/planted-faults.ts` with the tests of the gate that should find
 * each, first those that need no build; `--all` with their long forms too, `--gate` with the whole of `npm test -- types unit db` for those that
 * they did not find. Numbers choose faults. It needs a checkout without changes and a running database, and restores every file.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** `find`: vitest files, or parts of their names. */
type Fault = { what: string; file: string; from: string; to: string; find: string[] };
const fault = (what: string, file: string, from: string, to: string, ...find: string[]): Fault => ({ what, file, from, to, find });

const ORDER = "app/domains/waiting-room/queue/order.ts";
const RULES = "app/domains/booking/waitlist/rules.ts";
const POLICY = "app/domains/booking/cancellation/refund-policy.ts";
const DOSE = "app/domains/visit/medicines/dose-sentence.ts";
const REFUND = "app/domains/money/payments/create-refund.server.ts";
const BOOK = "app/domains/booking/appointments/book-appointment.server.ts";
const MONEY = "app/domains/money";

export const FAULTS: Fault[] = [
  fault("an emergency waits", ORDER, "if (emergency) return emergency;", "", "queue/order.test"),
  fault(
    "three booked patients for a walk-in",
    ORDER,
    "SinceWalkIn >= BOOKED_PER_WALK_IN",
    "SinceWalkIn > BOOKED_PER_WALK_IN",
    "queue/order.test",
  ),
  fault("a returned patient waits for three", ORDER, "back.returnedAtCall! >= OTHERS", "back.returnedAtCall! > OTHERS", "queue/order.test"),
  fault("a near time is offered for two hours", RULES, "left > FAR ? LONG_OFFER", "left < FAR ? LONG_OFFER", "waitlist/rules.test"),
  fault("messages at night", RULES, "time >= NIGHT.until && time", "time >= NIGHT.until || time", "waitlist/rules.test"),
  fault("a chain without an end", RULES, "|| slot.chain >= MAX_CHAIN", "", "waitlist/rules.test"),
  fault("a later time suits", RULES, "slot.time}` <", "slot.time}` >", "waitlist/rules.test"),
  fault(
    "a fee back after the start",
    "app/domains/visit-time.ts",
    ".getTime() - hours(notice)",
    ".getTime() + hours(notice)",
    "refund-policy.test",
  ),
  fault("no fee back before the acceptance", POLICY, 'visit.status === "pending" || ', "", "refund-policy.test"),
  fault("5 paise for 50", "app/lib/money.ts", 'fraction.padEnd(2, "0")', 'fraction.padStart(2, "0")', "app/lib/money.test"),
  fault("a swapped sign in sums", "app/lib/money.ts", "sum + amount, 0)", "sum - amount, 0)", "app/lib/money.test", MONEY),
  fault("another time zone", "app/lib/dates.ts", "const OFFSET = minutes(330);", "const OFFSET = minutes(300);", "app/lib/dates.test"),
  fault("a month without an end", "app/lib/dates.ts", "Math.min(d, last)", "d", "app/lib/dates.test"),
  fault("ten digits of a longer number", "app/lib/phone.ts", "(\\d{10})$/.exec", "(\\d{10})/.exec", "app/lib/values.test"),
  fault(
    "a whole phone in the log",
    "app/lib/phone.ts",
    "phone.replace(/^(\\+91)\\d{6}",
    "phone.replace(/^(\\+92)\\d{6}",
    "app/lib/values.test",
  ),
  fault("a wrong check digit", "app/lib/platform-fee.ts", "n % 2 === 0 ? 1 : 2", "n % 2 === 0 ? 2 : 1", "app/lib/platform-fee.test"),
  fault(
    "forms of other origins",
    "app/server/csrf.ts",
    "if (origin !== undefined && !listed &&",
    "if (false && !listed &&",
    "app/server/gates.test",
  ),
  fault("forms of other sites", "app/server/csrf.ts", 'return "cross-site";', "return null;", "app/server/gates.test"),
  fault("half a tablet is many", DOSE, 'amount === 0.5 ? "half"', 'amount === 5 ? "half"', "dose-sentence.test"),
  fault("a swallowed tablet names its route", DOSE, "swallowed || USUAL[form] === route", "USUAL[form] === route", "dose-sentence.test"),
  fault(
    "codes without a pause",
    "app/domains/platform/limits/limits.ts",
    '"otp-send-gap": { max: 1,',
    '"otp-send-gap": { max: 100,',
    "routes/limits.test",
  ),
  fault(
    "guesses without a limit",
    "app/domains/platform/limits/limits.ts",
    '"otp-guess-share": { max: 10,',
    '"otp-guess-share": { max: 1000,',
    "accounts/otp.db.test",
  ),
  fault(
    "anyone deletes a notification",
    "app/domains/platform/notifications/mark-notifications.server.ts",
    "and(eq(notifications.id, id), eq(notifications.userId, ctx.actor.userId))",
    "eq(notifications.id, id)",
    "domains/platform/notifications",
    "routes/notifications.test",
  ),
  fault(
    "anyone opens an appointment",
    "app/domains/booking/appointments/patient-queries.server.ts",
    ".leftJoin(walletCodes, eq(walletCodes.appointmentId, appointments.id))\n    .where(and(eq(appointments.id, id), eq(appointments.patientId, ctx.actor.userId)));",
    ".leftJoin(walletCodes, eq(walletCodes.appointmentId, appointments.id))\n    .where(eq(appointments.id, id));",
    "routes/access.test",
  ),
  fault(
    "anyone reads a family member",
    "app/domains/patients/family/queries.server.ts",
    "and(eq(familyMembers.id, id), eq(familyMembers.patientId, ctx.actor.userId))",
    "eq(familyMembers.id, id)",
    "routes/family.test",
    "routes/access.test",
  ),
  fault(
    "anyone removes a passkey",
    "app/domains/platform/accounts/passkeys.server.ts",
    "and(eq(passkeys.id, id), eq(passkeys.userId, ctx.actor.userId))",
    "eq(passkeys.id, id)",
    "passkeys.db.test",
    "routes/passkeys.test",
    "routes/access.test",
  ),
  fault(
    "a doctor reads the review of another",
    "app/domains/booking/reviews/queries.server.ts",
    "eq(reviews.id, id), eq(reviews.doctorId, ctx.actor.userId)",
    "eq(reviews.id, id)",
    "domains/booking/reviews",
    "routes/reviews.test",
    "routes/access.test",
  ),
  fault(
    "a history in clear",
    BOOK,
    "medicalHistory: sealed(appointments.medicalHistory, id, input.medicalHistory ?? null)",
    "medicalHistory: (input.medicalHistory ?? null) as never",
    "routes/booking.test",
    "routes/log-hygiene.test",
    "server/canary.test",
  ),
  fault(
    "a past time is booked",
    BOOK,
    "if (hasStarted(tx.now, { date, time })) throw",
    "if (hasStarted(new Date(0), { date, time })) throw",
    "routes/booking.test",
  ),
  fault("a wallet code stays open", BOOK, "if (code) await attachCode(tx, code, id);", "", "wallet.db.test", "routes/wallet.test"),
  fault(
    "an edited member is not in the log",
    "app/domains/places/members/change-member.server.ts",
    'await recordChange(tx, "edit-member"',
    'if (tx.ip === "never") await recordChange(tx, "edit-member"',
    "members.db.test",
  ),
  fault(
    "an edited profile is not in the log",
    "app/domains/patients/profile/save-profile.server.ts",
    'await recordChange(tx, "edit-profile"',
    'if (tx.ip === "never") await recordChange(tx, "edit-profile"',
    "domains/patients",
    "routes/patient-profile.test",
  ),
  fault("a refund adds", REFUND, "plus(payment.refunded, booked)", "minus(payment.refunded, booked)", `${MONEY}/payments`),
  fault("a refund is booked twice", REFUND, "if (again) return null;", "", `${MONEY}/payments`),
  fault(
    "a refund without an event",
    REFUND,
    "if (amount > 0) await recordChange",
    "if (amount < 0) await recordChange",
    `${MONEY}/payments`,
    "routes/money.test",
    "domain-events",
  ),
  fault(
    "any signature is right",
    "app/domains/visit/documents/signing-keys.server.ts",
    "return key.id === keyId && verify(",
    "return key.id === keyId || verify(",
    "domains/visit/documents",
  ),
  fault(
    "a photo for a phone number",
    "app/domains/booking/appointments/doctor-access.ts",
    "!visit.forCaller && (",
    "(",
    "doctor-access",
    "photo",
    "clinic/callers",
  ),
  fault(
    "a reminder on the day before, twice",
    "app/domains/booking/appointments/send-reminders.server.ts",
    "HOURS_BEFORE = hours(2)",
    "HOURS_BEFORE = hours(20)",
    "reminders.db.test",
  ),
  fault("a lost language", "app/messages/te/common.json", '  "error_wait_seconds":', '  "error_wait_second":', "messages/catalogue.test"),
  fault("pages without a guard", "app/routes.ts", '...inArea("reviewer", [', '...inArea("visitor", [', "app/routes.test"),
  fault(
    "a guard that does not look at the role",
    "app/http/middleware.server.ts",
    "const isWrong = !roles.includes(session.role);",
    "const isWrong = false;",
    "routes/access.test",
  ),
  fault(
    "anyone withdraws a review",
    "app/domains/booking/reviews/review.state.ts",
    'withdraw: { from: ["shown", "hidden"], to: "withdrawn", by: ["patient"] }',
    'withdraw: { from: ["shown", "hidden"], to: "withdrawn", by: ["patient", "doctor"] }',
    "review.state.test",
  ),
  fault("files may be taken for another type", "app/server/headers.ts", '  "x-content-type-options": "nosniff",\n', "", "server/wire.test"),
];

const TESTS = globSync(["{app,scripts}/**/*.test.{ts,tsx}", "{demo,tests}/**/*.test.ts"], { cwd: ROOT });
/** Returns the test files of these names: those without a database, with one, and with a server, which need a build. */
function testsOf(names: readonly string[]): { unit: string[]; db: string[]; served: string[] } {
  const named = TESTS.filter((file) => names.some((name) => file.includes(name)));
  const served = named.filter((file) => file.startsWith("tests/"));
  const db = named.filter((file) => file.endsWith(".db.test.ts"));
  return { unit: named.filter((file) => !served.includes(file) && !db.includes(file)), db, served };
}

const gate = process.argv.includes("--gate");
const run = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", TEST_GATE: process.argv.includes("--all") ? "" : "1" },
  });
/** True when one of these tests fails. Throws when they end without a result: no fault was found then. */
function fails(project: string, files: readonly string[]): boolean {
  if (files.length === 0) return false;
  const { status, stdout, stderr } = run("node_modules/vitest/vitest.mjs", "run", "--project", project, "--bail", "1", ...files);
  if (status !== 0 && !/^ *Tests .*\d+ failed/m.test(stdout)) throw new Error(`${stdout}\n${stderr}`);
  return status !== 0;
}
const build = () => run("scripts/bootstrap.mjs", "--build").status === 0;

/** Plants a fault, and returns true when a test fails. */
function isFound({ file, from, to, find }: Fault): boolean {
  const path = join(ROOT, file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, source.replace(from, to));
  try {
    const { unit, db, served } = testsOf(find);
    if (fails("unit*", unit) || fails("db", db)) return true;
    if (served.length > 0 && (!build() || fails("db", served))) return true;
    return gate && run("scripts/test.mjs", "types", "unit", "db").status !== 0;
  } finally {
    writeFileSync(path, source);
  }
}

if (import.meta.main) {
  if (spawnSync("git", ["status", "--porcelain", "app"], { cwd: ROOT, encoding: "utf8" }).stdout.trim())
    throw new Error("app has changes: commit them first");
  const chosen = process.argv
    .slice(2)
    .filter((arg) => /^\d+$/.test(arg))
    .map(Number);
  let found = 0;
  let planted = 0;
  for (const [i, one] of FAULTS.entries()) {
    if (chosen.length && !chosen.includes(i + 1)) continue;
    planted++;
    const ok = isFound(one);
    if (ok) found++;
    console.log(`${ok ? "✓ found" : "✗ MISSED"}  ${String(i + 1).padStart(2)} ${one.what} (${one.file})`);
  }
  console.log(`\n${found} of ${planted} planted faults were found`);
  process.exitCode = found < planted ? 1 : 0;
}
