import { existsSync } from "node:fs";
import { isRandom } from "#app/lib/entropy.ts";
import { isLoopback } from "#app/lib/loopback.ts";
import { vapidPublicKey } from "#app/lib/vapid.server.ts";
import type { Values } from "./variables.server.ts";

/** What is known before the settings are made of the variables. `unread`: those with a problem of their own. */
type Given = { values: Values; unread: ReadonlySet<string>; demo: boolean; note: string };

/** Returns the problems between variables: what is missing, what contradicts, keys that could be guessed. */
export function problemsOf({ values: v, unread, demo, note }: Given): string[] {
  const problems: string[] = [];
  const missing = (name: keyof Values) => v[name] === undefined && !unread.has(name);
  if (!demo) {
    const need = (name: keyof Values, why: string) => missing(name) && problems.push(`${name}: required when DEMO=0 (${why})`);
    need("APP_URL", "links and origin checks");
    need("SESSION_SECRET", "signs codes and cookies");
    need("ENCRYPTION_KEY", "encrypts identity and account numbers");
    if (v.SMS_PROVIDER === "outbox" && !unread.has("SMS_PROVIDER"))
      problems.push("SMS_PROVIDER: 'outbox' is refused when DEMO=0; choose msg91, twilio or kannel");
    need("SMTP_URL", "emails");
    need("UPI_VPA", "payee of the UPI step");
    if (v.APP_URL && new URL(v.APP_URL).protocol === "http:" && !isLoopback(new URL(v.APP_URL).hostname))
      problems.push("APP_URL: must begin with https:// when DEMO=0, except on this machine");
    problems.push(...keyProblems(v));
    if (v.WEBHOOK_TEST_ORIGIN) problems.push("WEBHOOK_TEST_ORIGIN: only in demo mode");
    if (v.CLOCK_FILE) problems.push("CLOCK_FILE: only in demo mode");
  }
  if (v.DATABASE_OWNER_URL && !v.DATABASE_URL && !unread.has("DATABASE_URL"))
    problems.push("DATABASE_OWNER_URL: set DATABASE_URL as well, to the role of the application");
  if (v.DATABASE_OWNER_URL && v.DATABASE_URL && nameIn(v.DATABASE_OWNER_URL) !== nameIn(v.DATABASE_URL))
    problems.push("DATABASE_OWNER_URL: must name the same database as DATABASE_URL");
  if (v.DATABASE_REPLICA_URL && v.DATABASE_URL && nameIn(v.DATABASE_REPLICA_URL) !== nameIn(v.DATABASE_URL))
    problems.push("DATABASE_REPLICA_URL: must name the same database as DATABASE_URL");
  if (v.CDN_PURGE_URL && missing("CDN_PURGE_TOKEN")) problems.push("CDN_PURGE_TOKEN: required by CDN_PURGE_URL");
  if (missing("DATABASE_URL") && !existsSync(note))
    problems.push(`DATABASE_URL: not set, and no embedded database is started (${note} is missing; npm start starts one)`);
  if (v.SMS_PROVIDER === "msg91" && missing("MSG91_AUTH_KEY")) problems.push("MSG91_AUTH_KEY: required by SMS_PROVIDER=msg91");
  if (v.SMS_INBOUND === "1" && v.SMS_PROVIDER === "outbox" && !demo)
    problems.push("SMS_INBOUND: needs SMS_PROVIDER=msg91, twilio or kannel");
  for (const [provider, name] of [
    ["msg91", "MSG91_INBOUND_SECRET"],
    ["kannel", "KANNEL_INBOUND_SECRET"],
  ] as const)
    if (v.SMS_INBOUND === "1" && v.SMS_PROVIDER === provider && missing(name))
      problems.push(`${name}: required by SMS_INBOUND=1 with SMS_PROVIDER=${provider}`);
  if (v.MISSED_CALL_SECRET && v.SMS_INBOUND !== "1" && !demo)
    problems.push("MISSED_CALL_SECRET: needs SMS_INBOUND=1, because the answer asks for an SMS");
  for (const name of ["MSG91_INBOUND_SECRET", "KANNEL_INBOUND_SECRET", "MISSED_CALL_SECRET"] as const)
    if ((v[name]?.length ?? 32) < 32) problems.push(`${name}: needs at least 32 characters`);
  if (v.SMS_PROVIDER === "twilio")
    for (const name of ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const)
      if (missing(name)) problems.push(`${name}: required by SMS_PROVIDER=twilio`);
  const whatsApp = ["WHATSAPP_TOKEN", "WHATSAPP_PHONE_ID", "WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN"] as const;
  if (whatsApp.some((name) => v[name]))
    for (const name of whatsApp) if (missing(name)) problems.push(`${name}: required when any WHATSAPP_* is set`);
  if ((v.WHATSAPP_VERIFY_TOKEN?.length ?? 20) < 20) problems.push("WHATSAPP_VERIFY_TOKEN: needs at least 20 characters");
  if (v.SMS_PROVIDER === "kannel")
    for (const name of ["KANNEL_USERNAME", "KANNEL_PASSWORD", "KANNEL_FROM"] as const)
      if (missing(name)) problems.push(`${name}: required by SMS_PROVIDER=kannel`);
  if (v.PAYMENT_PROVIDER === "razorpay")
    for (const name of ["RAZORPAY_KEY_ID", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET"] as const)
      if (missing(name)) problems.push(`${name}: required by PAYMENT_PROVIDER=razorpay`);
  if (v.PAYMENT_PROVIDER === "local" && !demo) problems.push("PAYMENT_PROVIDER: 'local' moves no money and is refused when DEMO=0");
  if (v.PLATFORM_FEE && missing("PAYMENT_PROVIDER")) problems.push("PLATFORM_FEE: only with PAYMENT_PROVIDER");
  if (v.PLATFORM_FEE && missing("PLATFORM_FEE_INVOICER")) problems.push("PLATFORM_FEE_INVOICER: required by PLATFORM_FEE");
  if (v.PLATFORM_FEE_TAX)
    for (const name of ["PLATFORM_FEE", "PLATFORM_FEE_INVOICER", "PLATFORM_FEE_GSTIN"] as const)
      if (missing(name) && !problems.some((problem) => problem.startsWith(`${name}:`)))
        problems.push(`${name}: required by PLATFORM_FEE_TAX`);
  const vapid = ["VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY", "VAPID_SUBJECT"] as const;
  if (vapid.some((name) => v[name]))
    for (const name of vapid) if (missing(name)) problems.push(`${name}: required when any VAPID_* is set`);
  if (v.VAPID_PUBLIC_KEY && v.VAPID_PRIVATE_KEY && vapidPublicKey(v.VAPID_PRIVATE_KEY) !== v.VAPID_PUBLIC_KEY)
    problems.push("VAPID_PRIVATE_KEY: does not belong to VAPID_PUBLIC_KEY; node scripts/vapid-keys.ts makes a pair");
  const s3 = ["UPLOADS_S3_ENDPOINT", "UPLOADS_S3_BUCKET", "UPLOADS_S3_ACCESS_KEY_ID", "UPLOADS_S3_SECRET_ACCESS_KEY"] as const;
  if (s3.some((name) => v[name])) for (const name of s3) if (missing(name)) problems.push(`${name}: required when any UPLOADS_S3_* is set`);
  for (const name of KEYS)
    if (v[name]?.split(",").some((key) => key.trim().length < 32)) problems.push(`${name}: each key needs at least 32 characters`);
  return problems;
}

const KEYS = ["SESSION_SECRET", "ENCRYPTION_KEY", "SIGNING_KEYS"] as const;

/** Returns problems of keys that someone could guess, or that protect two things at once. */
function keyProblems(v: Partial<Record<(typeof KEYS)[number], string | undefined>>): string[] {
  const all = KEYS.flatMap((name) => keys(v[name] ?? "").map((key) => ({ name, key })));
  const guessable = all.filter(({ key }) => key.length >= 32 && !isRandom(key));
  const shared = all.filter(({ name, key }) => all.some((other) => other.name !== name && other.key === key));
  return [
    ...new Set([
      ...guessable.map(({ name }) => `${name}: is easy to guess; openssl rand -base64 32 makes a good key`),
      ...shared.map(({ name }) => `${name}: must differ from the other keys`),
    ]),
  ];
}

/** The keys of a list, the newest first. */
export const keys = (list: string) =>
  list
    .split(",")
    .map((k) => k.trim())
    .filter(Boolean) as [string, ...string[]];

const nameIn = (url: string) => new URL(url).pathname;
