/**
 * Unique words for every text field, and the lists of where each may be stored. Importing this file registers the hooks that
 * start and stop the server.
 */
import { getTableName } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { afterAll, beforeAll, expect } from "vitest";
import "#app/db/schema/index.ts";
import { allPolicies } from "#app/db/schema/policy.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { CHANNELS } from "#app/realtime/channels.server.ts";
import { ApiClient, type Args, type CallName } from "../api/client.ts";
import { readable } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { asFile, png } from "../factories/pictures.ts";
import { multipart } from "./applications.ts";
import type { Answer, Browser, Fields } from "./http.ts";
import { startServer, type TestServer } from "./server.ts";
import { textFields } from "./text-fields.ts";

/** Fields without text of a user, by reason. */
const NO_TEXT: Record<string, string[]> = {
  "a date or time": [
    "date",
    "dateOfBirth",
    "dob",
    "until",
    "ends",
    "except",
    "time",
    "slots",
    "doctorIdOrDate",
    "times",
    "moves",
    "choose",
    "otherDay",
    "answer",
  ],
  "a small number": [
    "age",
    "experienceYears",
    "consultationFee",
    "councilYear",
    "yearOfRegistration",
    "year",
    "fee",
    "slotMinutes",
    "patientsPerSlot",
    "seatsPerSession",
    "amount",
  ],
  "an id, a key or a version that the page made": [
    ...[
      "key",
      "app",
      "session",
      "browser",
      "seen",
      "version",
      "id",
      "change",
      "add",
      "remove",
      "mission",
      "offer",
      "failed",
      "idempotencyKey",
    ],
    ...["photo", "photoReceived", "patient", "doctor", "patientId", "doctorId", "hospitalId", "hospital_hospitalId", "forWhom"],
  ],
  "one of a few words": ["reasons", "category", "gender", "word", "hospital_isManualEntry"],
  "a file, tried by its content": [
    ...["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates", "medicalRecords", "audio"],
  ],
  "made by the server or an authenticator; tokens are among the secrets below": [
    ...["credential", "challengeId", "deviceToken", "retryTicket", "verificationToken"],
  ],
};
/** A date, ids, the printed code of an order, and places of a hospital, which are chosen from a list. */
const EXCEPTIONS = new Set([
  "routes/doctor/availability/weekly.tsx from",
  "routes/doctor/practices/hours.tsx hours[].from",
  "routes/doctor/leave/add.tsx from",
  "routes/doctor/visit/certificate.tsx from",
  "routes/admin/visit-move.tsx to",
  "routes/agenda/book-for-caller.tsx at",
  "routes/support/write.tsx appointment",
  "routes/admin/support/thread.tsx from",
  "routes/results/add.tsx code",
  // Tried by its content; the names of a sheet and of a doctor of the uploaded file.
  "api createImport file",
  "api createImport sheet",
  "api decideImportRows doctorName",
  "routes/import/moving.server.ts sheet",
  // A choice for all rows, which names a doctor of the uploaded file.
  "routes/import/moving.server.ts all",
  // A public code of letters and digits; the values of the buttons of the demo phone.
  "routes/desk/keywords.tsx keyword",
  "routes/doctor/practices/keyword.tsx keyword",
  "routes/dev/phone.tsx call",
  "routes/dev/phone.tsx pressed",
  // Sent as an SMS, which the outbox of demo mode shows. What is stored is sealed: app/domains/messages/answers/messages.db.test.ts.
  "routes/desk/messages.tsx message",
  // The same field as of createExport, which is typed; an undo needs an import that a job has finished, a decision one that it has checked.
  "api decideImportRows proof.code",
  "api undoImportCall proof.code",
  // Without a payment provider these pages do not exist: tests/routes/payout-account.test.ts reads what is stored.
  ...["street", "city", "state", "pinCode"].flatMap((name) => `routes/money/payout-change.tsx ${name}`),
  ...["name", "pan", "holder", "account", "ifsc"].map((name) => `routes/money/payout-change.tsx ${name}`),
  ...["admin/hospital-new", "admin/hospital-edit", "doctor/own-clinic", "doctor/practices/add-unlisted"].flatMap((page) =>
    ["city", "state", "pinCode"].map((name) => `routes/${page}.tsx ${name}`),
  ),
]);
const noText = new Set(Object.values(NO_TEXT).flat());
/** The fields that need a word, by form and call. */
export const FIELDS = new Map(
  [...(await textFields())].map(([unit, paths]) => [
    unit,
    new Set(paths.filter((path) => !noText.has(path.replaceAll("[]", "").split(".").at(-1) ?? "") && !EXCEPTIONS.has(`${unit} ${path}`))),
  ]),
);
const isText = (unit: string, path: string) => FIELDS.get(unit)?.has(path) ?? false;

/** Columns that may store input in clear, and why, by the policies of their tables. None has health text, chats, numbers, passwords, codes or files. */
export const IN_CLEAR: Record<string, string> = {
  ...Object.fromEntries(
    [...allPolicies()].flatMap(([table, { columns }]) =>
      Object.entries(columns).flatMap(([key, { clear }]) =>
        clear === undefined ? [] : [[`${getTableName(table)}.${toSnakeCase(key)}`, clear] as const],
      ),
    ),
  ),
  "pgboss.job.data": "address and subject of an email that waits; its text is sealed",
  "pgboss.job_common.data": "the same row: a partition",
};
/** Where a code may be found: the outbox of demo mode. */
export const CODES_IN_CLEAR = new Set(["outbox_messages.body"]);
/** Fields that may be found in no column. */
const SECRET =
  /^(symptoms|started|medications|medicalHistory|medical_history_summary|description|originalname|message|\w*[pP]assword|otp|code|aadhaarNumber|panNumber|(bank_)?accountNumber)$/;
/** Text of patients and reports. The same names are texts of staff elsewhere. */
const HEALTH_UNITS = ["routes/patient/booking-patient-detail.tsx", "routes/reviews/report.tsx", "api bookAppointmentCall"];
const isSecret = (unit: string, path: string) => {
  const leaf = path.replaceAll("[]", "").split(".").at(-1) ?? "";
  return (
    SECRET.test(leaf) ||
    unit === "routes/doctor/visit/visit-page.server.ts" ||
    (HEALTH_UNITS.includes(unit) && ["note", "reason"].includes(leaf))
  );
};

type Canary = { unit: string; field: string; value: string; secret: boolean };
export const canaries: Canary[] = [];
export const codes: string[] = [];
let n = 0;
const serial = () => String(++n).padStart(4, "0");
/** Returns a unique word. */
export const word = () =>
  `zq${randomToken()
    .replace(/[^a-z0-9]/gi, "")
    .slice(0, 10)
    .toLowerCase()}x${serial()}`;
export const words = <N extends string>(...names: N[]) => Object.fromEntries(names.map((name) => [name, word()])) as Record<N, string>;
/** Returns a unique word in the letters of a script, of which 16 begin at this code point. */
const wordIn = (first: number) =>
  [...Buffer.from(word()).toString("hex")].map((digit) => String.fromCodePoint(first + Number.parseInt(digit, 16))).join("");
export const scriptNames = () => ({ nameInTelugu: wordIn(0x0c15), nameInHindi: wordIn(0x0915) });
export const mail = () => `${word()}@canary.test`;
export const phone = () => `97${String(Date.now() % 10_000).padStart(4, "0")}${serial()}`;
export const account = () => `4417${String(process.pid % 100_000).padStart(5, "0")}${serial()}`;
export const pan = () => `ZQXKP${serial()}Q`;
export const aadhaar = () => `8317${String(Date.now() % 10_000).padStart(4, "0")}${serial()}`;
export const ifsc = () => `ZQXK0Q${serial()}9`;
export const secret = (what: string, value: string) => canaries.push({ unit: what, field: "", value, secret: true });

export let server: TestServer;
export let api: ApiClient;
/** Payloads of live events. */
export const events: string[] = [];
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
  for (const channel of Object.values(CHANNELS)) await server.sql.listen(channel, (payload) => void events.push(payload));
  api = await ApiClient.of(server.url);
});
afterAll(() => server?.stop());

/** Records what was typed into the text fields of an accepted form or call. */
export function note(unit: string, fields: Record<string, unknown>): void {
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) walk(one, path ? `${path}.${key}` : key);
    else if (typeof value === "string" && value.startsWith("[") && isText(unit, `${path}[]`)) walk(JSON.parse(value), path);
    else if (typeof value === "string" && value && isText(unit, path)) {
      if (/^\d{6}$/.test(value)) codes.push(value);
      canaries.push({ unit, field: path, value, secret: isSecret(unit, path) });
    }
  };
  for (const [name, value] of Object.entries(fields)) walk(value, name.replace(/\[\d+\]/g, "[]"));
}
/** Posts a form that must be accepted. */
export async function form(unit: string, who: Browser, path: string, fields: Fields, files?: Record<string, File | Blob>): Promise<Answer> {
  let answer: Answer;
  if (files) {
    const body = multipart(fields);
    for (const [name, file] of Object.entries(files)) body.append(name, file);
    answer = await who.postFiles(path, body);
  } else answer = await who.post(path, fields);
  expect([200, 303], `${unit} ${path}: ${readable(answer.text).slice(0, 600)}`).toContain(answer.status);
  note(unit, fields);
  return answer;
}
export async function call<N extends CallName>(name: N, token: string | null, args: Args<N>) {
  const given = await api.as(token).call(name, args);
  note(`api ${name}`, { ...(args.query ?? {}), ...((args.body ?? {}) as Record<string, unknown>) });
  return given.body;
}
export const codeOf = async (to: string) => {
  const code = await server.lastCode(to);
  codes.push(code);
  return code;
};
export const idOf = async (table: string, owner: string, id: string) =>
  (
    await server.sql<
      { id: string }[]
    >`select id from ${server.sql(table)} where ${server.sql(owner)} = ${id} order by created_at desc limit 1`
  )[0]!.id;
/** Returns a document with a unique word in it, which is stored unchanged. */
export const document = () => {
  const inside = word();
  secret("content of a document", inside);
  return asFile(pdf({ filling: Buffer.from(inside) }), `${secretName("name of a chat file")}.pdf`, "application/pdf");
};
export const secretName = (what: string) => {
  const name = word();
  secret(what, name);
  return name;
};
export const recording = () => {
  const inside = word();
  secret("content of a recording", inside);
  return new Blob([
    Buffer.concat([
      Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
      Buffer.from(`\x9fB\x86\x81\x01B\x82\x84webm${inside}`, "latin1"),
      Buffer.alloc(500),
    ]),
  ]);
};
export const picture = async (what: string) => asFile(await png(), `${secretName(what)}.png`, "image/png");

/** Returns how a word may be encoded: unchanged, in hexadecimal, in base64 at each of the three offsets, percent-encoded. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    return text.slice(offset === 0 ? 0 : offset + 1, Math.floor((text.length - 4) / 4) * 4);
  });
  return [
    ...new Set([
      value.toLowerCase(),
      bytes.toString("hex"),
      encodeURIComponent(value).toLowerCase(),
      ...base64.filter((one) => one.length > 7),
    ]),
  ];
}
export const isIn = (value: string, text: string, lower: string) => formsOf(value).some((one) => text.includes(one) || lower.includes(one));
export const hasCode = (code: string, text: string) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(text);
