/**
 * The only reader of process.env. Parses it once, freezes it, and lists all problems at once. .env.example documents the
 * variables.
 */

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isRandom } from "#app/lib/entropy.ts";
import { isLoopback } from "#app/lib/loopback.ts";
import { parseRupees } from "#app/lib/money.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { isGstin, parseTaxRates } from "#app/lib/platform-fee.ts";
import { vapidPairOf, vapidPublicKey } from "#app/lib/vapid.server.ts";

const text = z.string().trim().min(1).optional();
const address = z
  .url({ protocol: /^https?$/ })
  .transform((u) => u.replace(/\/+$/, ""))
  .optional();
const flag = z.enum(["0", "1"]).optional();
const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
  .refine((url) => !/^postgres/.test(url) || URL.canParse(url), {
    error: "is not an address (write special characters of the password as %40 and the like)",
  })
  .optional();

/** In paise. More is taken for a fee that was typed in paise. */
const MOST_PLATFORM_FEE = 100_000;

/**
 * Called in this order; the next one when a model is retired. Google's general model, a smaller one of another generation, and the
 * alias that Google moves to its current model.
 */
const GEMINI_MODELS = ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-flash-latest"];

const Variables = z.object({
  NODE_ENV: text,
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: text,
  WEB_CONCURRENCY: z.union([z.literal("auto"), z.coerce.number().int().min(1).max(64)], "must be auto or a number from 1 to 64").optional(),
  WORKER_STUCK_SECONDS: z.coerce.number().int().min(0).max(600).default(8),
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_REPLICA_URL: databaseUrl,
  REDIS_URL: z
    .string()
    .refine((url) => URL.canParse(url) && /^rediss?:\/\/./.test(url), {
      error: "must be an address that begins with redis:// or rediss://",
    })
    .optional(),
  DATA_DIR: z.string().trim().min(1).default("./.data"),
  DEMO: flag,
  APP_URL: address,
  SESSION_SECRET: text,
  ENCRYPTION_KEY: text,
  SIGNING_KEYS: text,
  API_ORIGINS: z
    .string()
    .transform((list) =>
      list
        .split(",")
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin && /^https?:/.test(origin)), {
      error: "must be a comma-separated list of origins like https://app.example",
    })
    .optional(),
  BODY_SECONDS: z.coerce.number().min(0.1).max(300).default(30),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  SMS_PROVIDER: z.enum(["outbox", "msg91", "twilio"]).default("outbox"),
  MSG91_AUTH_KEY: text,
  MSG91_BASE_URL: address,
  MSG91_TEMPLATE_IDS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((pair) => pair.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((pair) => /^(code|decision|reminder)(\.(te|hi))?=[\w-]+$/.test(pair)), {
      error: "must be a comma-separated list like code=…,code.te=…,reminder.hi=…",
    })
    .transform((list) => Object.fromEntries(list.map((pair) => pair.split("=") as [string, string]))),
  TWILIO_ACCOUNT_SID: text,
  TWILIO_AUTH_TOKEN: text,
  TWILIO_FROM: text,
  TWILIO_BASE_URL: address,
  SMS_CODES_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(300),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().trim().min(3).default("Nadi <no-reply@nadi.invalid>"),
  CLAMD_SOCKET: z
    .string()
    .trim()
    .regex(/^(\/[^\0]+|[^\s/:]+:\d{1,5})$/, "must be a path such as /run/clamav/clamd.ctl, or host:port")
    .transform((at) => (at.startsWith("/") ? { path: at } : { host: at.split(":")[0]!, port: Number(at.split(":")[1]) }))
    .optional(),
  GEMINI_API_KEY: text,
  GEMINI_MODEL: z
    .string()
    .transform((list) => [
      ...new Set(
        list
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ])
    .refine(
      (names) => names.length > 0 && names.every((name) => /^[\w.-]+(\/[\w.-]+)?$/.test(name)),
      "must be names of models, with commas between them",
    )
    .default(GEMINI_MODELS),
  GEMINI_BASE_URL: address,
  GOOGLE_MAPS_SERVER_KEY: text,
  GOOGLE_MAPS_BASE_URL: address,
  GOOGLE_MAPS_BROWSER_KEY: text,
  OVERPASS_URL: address,
  IP_GEO_URL: address,
  CLOCK_FILE: text,
  PAYMENT_LINK_TEMPLATE: z
    .string()
    .regex(/^https?:\/\/.*\{reference\}/, "must be an http(s) address with {reference} in it")
    .optional(),
  UPI_VPA: z
    .string()
    .regex(/^[\w.-]{2,}@[\w.-]{2,}$/, "must look like name@bank")
    .optional(),
  UPI_NAME: text,
  PAYMENT_PROVIDER: z.enum(["razorpay", "local"]).optional(),
  RAZORPAY_KEY_ID: text,
  RAZORPAY_KEY_SECRET: text,
  RAZORPAY_WEBHOOK_SECRET: text,
  RAZORPAY_BASE_URL: address,
  PLATFORM_FEE: z
    .string()
    .transform((typed, { addIssue }) => {
      const amount = parseRupees(typed);
      if (amount !== null && amount > 0 && amount <= MOST_PLATFORM_FEE) return amount;
      addIssue("must be rupees like 20 or 19.50, at most 1000");
      return z.NEVER;
    })
    .optional(),
  PLATFORM_FEE_TAX: z
    .string()
    .transform((typed, { addIssue }) => {
      const rates = parseTaxRates(typed);
      if (rates) return rates;
      addIssue("must be names with percents like CGST 9, SGST 9");
      return z.NEVER;
    })
    .optional(),
  PLATFORM_FEE_INVOICER: text,
  PLATFORM_FEE_GSTIN: z
    .string()
    .trim()
    .refine(isGstin, { error: "is not a GSTIN (15 characters, the last one is a check digit)" })
    .optional(),
  WEBHOOK_TEST_ORIGIN: address,
  VAPID_PUBLIC_KEY: text,
  VAPID_PRIVATE_KEY: text,
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto: with an address, or an https address")
    .optional(),
  CDN_PURGE_URL: z
    .string()
    .transform((list) =>
      list
        .split(",")
        .map((url) => url.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every((url) => URL.canParse(url) && /^https?:/.test(url)), {
      error: "must be a comma-separated list of addresses",
    })
    .optional(),
  CDN_PURGE_TOKEN: text,
  SUPPORT_PHONE: z
    .string()
    .transform((typed) => normalisePhone(typed) ?? typed)
    .pipe(z.string().regex(/^\+91\d{10}$/, "must be a phone number with ten digits"))
    .optional(),
  SUPPORT_EMAIL: z.email("must be an email address").optional(),
  SUPPORT_ADDRESS: text,
  METRICS_TOKEN: text,
  UPLOADS_S3_ENDPOINT: address,
  UPLOADS_S3_BUCKET: text,
  UPLOADS_S3_REGION: text,
  UPLOADS_S3_ACCESS_KEY_ID: text,
  UPLOADS_S3_SECRET_ACCESS_KEY: text,
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
});

/**
 * All variables; .env.example explains each.
 * @internal compared by a test
 */
export const variableNames: readonly string[] = Object.keys(Variables.shape);

export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/** Converts variables to the settings of a process. @throws EnvironmentError with every problem */
export function readEnvironment(source: Record<string, string | undefined>) {
  // "" means unset: compose files and shells leave empty strings behind.
  const given = Object.fromEntries(Object.entries(source).filter(([, v]) => v !== undefined && v !== ""));
  const parsed = Variables.safeParse(given);
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`);
  // Reports an unreadable variable once, and validates the others.
  const unread = new Set<string>(parsed.error?.issues.map((i) => String(i.path[0])));
  const v = parsed.data ?? Variables.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !unread.has(name))));
  const missing = (name: keyof typeof v) => v[name] === undefined && !unread.has(name);
  const demo = v.DEMO === undefined ? given.DATABASE_URL === undefined : v.DEMO === "1";
  const dataDir = resolve(v.DATA_DIR);

  if (!demo) {
    const need = (name: keyof typeof v, why: string) => missing(name) && problems.push(`${name}: required when DEMO=0 (${why})`);
    need("APP_URL", "links and origin checks");
    need("SESSION_SECRET", "signs codes and cookies");
    need("ENCRYPTION_KEY", "encrypts identity and account numbers");
    if (v.SMS_PROVIDER === "outbox" && !unread.has("SMS_PROVIDER"))
      problems.push("SMS_PROVIDER: 'outbox' is refused when DEMO=0; choose msg91 or twilio");
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
  const note = join(dataDir, "db.json");
  if (missing("DATABASE_URL") && !existsSync(note))
    problems.push(`DATABASE_URL: not set, and no embedded database is started (${note} is missing; npm start starts one)`);
  if (v.SMS_PROVIDER === "msg91" && missing("MSG91_AUTH_KEY")) problems.push("MSG91_AUTH_KEY: required by SMS_PROVIDER=msg91");
  if (v.SMS_PROVIDER === "twilio")
    for (const name of ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"] as const)
      if (missing(name)) problems.push(`${name}: required by SMS_PROVIDER=twilio`);
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
  if (problems.length) throw new EnvironmentError(complaint(problems));

  const secrets = demo ? demoSecrets(dataDir) : undefined;
  const databases = v.DATABASE_URL
    ? { application: databaseAt(v.DATABASE_URL), owner: databaseAt(v.DATABASE_OWNER_URL ?? v.DATABASE_URL) }
    : embeddedAt(note);
  const appUrl = new URL(v.APP_URL ?? `http://localhost:${v.PORT}`);
  // In demo mode all three names of this machine are accepted (contract.md).
  const origins = [appUrl.origin, ...(demo ? ["localhost", "127.0.0.1", "[::1]"].map((h) => `http://${h}:${v.PORT}`) : [])].map(
    (o) => new URL(o).origin,
  );

  return Object.freeze({
    production: v.NODE_ENV === "production",
    port: v.PORT,
    host: v.HOST ?? (demo ? "127.0.0.1" : "0.0.0.0"),
    demo,
    dataDir,
    /** The role of the application: reads and writes rows. */
    database: databases.application,
    /** The role that owns the tables: migrations, restore and archiving of the log. The same if only one is configured. */
    databaseOwner: databases.owner,
    /** A standby for reads of public data. undefined: the primary serves all. */
    databaseReplica: v.DATABASE_REPLICA_URL ? databaseAt(v.DATABASE_REPLICA_URL) : undefined,
    /** The Redis through which live events go. undefined: PostgreSQL's NOTIFY. */
    redisUrl: v.REDIS_URL,
    oneDatabaseRole: v.DATABASE_URL !== undefined && v.DATABASE_OWNER_URL === undefined,
    appUrl,
    origins: [...new Set(origins)] as readonly string[],
    sessionSecrets: keys(v.SESSION_SECRET ?? secrets!.sessionSecret),
    encryptionKeys: keys(v.ENCRYPTION_KEY ?? secrets!.encryptionKey),
    /** The first signs prescriptions, all of them verify. Empty: a key in the database (visit/documents/signing-keys.server.ts). */
    signingKeys: (v.SIGNING_KEYS ? keys(v.SIGNING_KEYS) : []) as readonly string[],
    /** Pages of these origins may call /api (CORS); default: none. */
    apiOrigins: (v.API_ORIGINS ?? []) as readonly string[],
    trustProxy: v.TRUST_PROXY,
    /** Milliseconds within which the body of a request must be complete. */
    bodyMs: v.BODY_SECONDS * 1000,
    sms: {
      provider: v.SMS_PROVIDER,
      codesPerMinute: v.SMS_CODES_PER_MINUTE,
      msg91: {
        authKey: v.MSG91_AUTH_KEY ?? "",
        baseUrl: v.MSG91_BASE_URL ?? "https://control.msg91.com",
        templateIds: v.MSG91_TEMPLATE_IDS as Readonly<Record<string, string>>,
      },
      twilio: {
        accountSid: v.TWILIO_ACCOUNT_SID ?? "",
        authToken: v.TWILIO_AUTH_TOKEN ?? "",
        from: v.TWILIO_FROM ?? "",
        baseUrl: v.TWILIO_BASE_URL ?? "https://api.twilio.com",
      },
    },
    mail: { smtpUrl: v.SMTP_URL, from: v.MAIL_FROM },
    clamd: v.CLAMD_SOCKET,
    gemini: { apiKey: v.GEMINI_API_KEY, models: v.GEMINI_MODEL, baseUrl: v.GEMINI_BASE_URL },
    maps: { serverKey: v.GOOGLE_MAPS_SERVER_KEY, browserKey: v.GOOGLE_MAPS_BROWSER_KEY, baseUrl: v.GOOGLE_MAPS_BASE_URL },
    overpassUrl: v.OVERPASS_URL,
    ipGeoUrl: v.IP_GEO_URL,
    clockFile: demo && v.CLOCK_FILE ? resolve(v.CLOCK_FILE) : undefined,
    payment: {
      linkTemplate: v.PAYMENT_LINK_TEMPLATE,
      upiVpa: v.UPI_VPA ?? "nadi.demo@upi",
      upiName: v.UPI_NAME ?? (v.UPI_VPA ? "Nadi" : "Nadi demo payee"),
      demoPayee: v.UPI_VPA === undefined,
    },
    /** undefined: no payment provider. */
    gateway: v.PAYMENT_PROVIDER && {
      provider: v.PAYMENT_PROVIDER,
      keyId: v.RAZORPAY_KEY_ID ?? "rzp_test_local",
      keySecret: v.RAZORPAY_KEY_SECRET ?? "local-gateway-key-secret",
      webhookSecrets: keys(v.RAZORPAY_WEBHOOK_SECRET ?? "local-gateway-webhook-secret"),
      baseUrl: v.RAZORPAY_BASE_URL ?? (v.PAYMENT_PROVIDER === "local" ? LOCAL_GATEWAY : "https://api.razorpay.com"),
      /** null: paying online costs patients nothing. */
      platformFee:
        v.PLATFORM_FEE === undefined
          ? null
          : {
              amount: v.PLATFORM_FEE,
              tax: v.PLATFORM_FEE_TAX ?? [],
              invoicer: v.PLATFORM_FEE_INVOICER!,
              gstin: v.PLATFORM_FEE_GSTIN ?? null,
            },
    },
    /**
     * Contact of the support. The demo's number cannot be called (no number in India starts with 0), and its mailbox does not
     * exist.
     */
    support: {
      phone: v.SUPPORT_PHONE ?? (demo ? "+910000000000" : undefined),
      email: v.SUPPORT_EMAIL ?? (demo ? "support@demo.test" : undefined),
      address: v.SUPPORT_ADDRESS ?? (demo ? "Demo office, MG Road, Vijayawada, Andhra Pradesh 520010" : undefined),
      demo: demo && v.SUPPORT_PHONE === undefined && v.SUPPORT_EMAIL === undefined,
    },
    /** An origin to which webhooks may be sent although it is not public or not https. */
    webhookTestOrigin: demo && v.WEBHOOK_TEST_ORIGIN ? new URL(v.WEBHOOK_TEST_ORIGIN).origin : undefined,
    /** Signs web push messages. undefined: no notifications of browsers. In demo mode the pair belongs to ENCRYPTION_KEY. */
    push: v.VAPID_PUBLIC_KEY
      ? { publicKey: v.VAPID_PUBLIC_KEY, privateKey: v.VAPID_PRIVATE_KEY!, subject: v.VAPID_SUBJECT! }
      : demo
        ? { ...vapidPairOf(keys(v.ENCRYPTION_KEY ?? secrets!.encryptionKey)[0]), subject: "mailto:support@demo.test" }
        : undefined,
    /** Where to drop pages of CDNs. Empty: no CDN, so visitors' pages are for the browser alone. */
    cdn: { purgeUrls: (v.CDN_PURGE_URL ?? []) as readonly string[], token: v.CDN_PURGE_TOKEN ?? "" },
    metricsToken: v.METRICS_TOKEN,
    s3: v.UPLOADS_S3_BUCKET
      ? {
          endpoint: v.UPLOADS_S3_ENDPOINT!,
          bucket: v.UPLOADS_S3_BUCKET,
          region: v.UPLOADS_S3_REGION ?? "auto",
          accessKeyId: v.UPLOADS_S3_ACCESS_KEY_ID!,
          secretAccessKey: v.UPLOADS_S3_SECRET_ACCESS_KEY!,
        }
      : undefined,
    logLevel: v.LOG_LEVEL,
  });
}
export type Env = ReturnType<typeof readEnvironment>;

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

const complaint = (problems: string[]) => `The environment is not complete:\n${problems.map((p) => `  - ${p}`).join("\n")}`;
const keys = (list: string) =>
  list
    .split(",")
    .map((k) => k.trim())
    .filter(Boolean) as [string, ...string[]];

export type DatabaseAddress = { url: string } | { host: string; port: number; username: string; database: string };

/** Parses DATABASE_URL, also libpq's `?host=/socket/dir`. scripts/db.mjs wrote the address of the embedded database to a file. */
function databaseAt(url: string): DatabaseAddress {
  const u = new URL(url);
  const socket = u.searchParams.get("host");
  if (!socket?.startsWith("/")) return { url };
  return {
    host: socket,
    port: Number(u.searchParams.get("port") ?? (u.port || 5432)),
    username: decodeURIComponent(u.username || "postgres"),
    database: decodeURIComponent(u.pathname.slice(1)),
  };
}

const nameIn = (url: string) => new URL(url).pathname;

/** Reads the file of scripts/db.mjs. A file of an earlier version has no owner. */
function embeddedAt(note: string): { application: DatabaseAddress; owner: DatabaseAddress } {
  const { owner, ...address } = JSON.parse(readFileSync(note, "utf8"));
  return { application: address, owner: { ...address, username: owner ?? address.username } };
}

function demoSecrets(dataDir: string): { sessionSecret: string; encryptionKey: string } {
  const path = join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  try {
    // `wx`: only one of several processes creates it.
    writeFileSync(
      path,
      JSON.stringify({ sessionSecret: randomBytes(32).toString("base64url"), encryptionKey: randomBytes(32).toString("base64url") }),
      { flag: "wx", mode: 0o600 },
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Where a test gateway listens by default. */
const LOCAL_GATEWAY = "http://127.0.0.1:4343";

let current: Env | undefined;
forgetWith(() => {
  current = undefined;
});
/** Returns the settings of this process, parsed at first use. */
export function env(): Env {
  current ??= readEnvironment(process.env);
  return current;
}
