/** The variables of the environment, each by itself. Between them: variable-problems.server.ts. */
import { z } from "zod";
import { parseRupees } from "#app/lib/money.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { isGstin, parseTaxRates } from "#app/lib/platform-fee.ts";

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

/** Rupees of one message. */
const price = z
  .string()
  .transform((typed, { addIssue }) => {
    const amount = parseRupees(typed);
    if (amount !== null) return amount;
    addIssue("must be rupees like 0.20");
    return z.NEVER;
  })
  .optional();

/** In paise. More is taken for a fee that was typed in paise. */
const MOST_PLATFORM_FEE = 100_000;

/**
 * Called in this order; the next one when a model is retired. Google's general model, a smaller one of another generation, and the
 * alias that Google moves to its current model.
 */
export const GEMINI_MODELS = ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-flash-latest"];

/** "code=…,code.te=…": the ids of registered texts by template and language. */
const templateIds = z
  .string()
  .default("")
  .transform((list) =>
    list
      .split(",")
      .map((pair) => pair.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every((pair) => /^[a-z][a-z0-9.-]*=[\w-]+$/.test(pair)), {
    error: "must be a comma-separated list like code=…,code.te=…,reminder.hi=…",
  })
  .transform((list): Readonly<Record<string, string>> => Object.fromEntries(list.map((pair) => pair.split("=") as [string, string])));

export const Variables = z.object({
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
  SMS_PROVIDER: z.enum(["outbox", "msg91", "twilio", "kannel"]).default("outbox"),
  SMS_INBOUND: flag,
  MISSED_CALL_SECRET: text,
  SMS_PRICE: price,
  WHATSAPP_PRICE: price,
  MSG91_INBOUND_SECRET: text,
  MSG91_AUTH_KEY: text,
  MSG91_BASE_URL: address,
  MSG91_TEMPLATE_IDS: templateIds,
  TWILIO_ACCOUNT_SID: text,
  TWILIO_AUTH_TOKEN: text,
  TWILIO_FROM: text,
  TWILIO_BASE_URL: address,
  WHATSAPP_TOKEN: text,
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^\d{5,30}$/, "must be the id of the phone number: digits only")
    .optional(),
  WHATSAPP_APP_SECRET: text,
  WHATSAPP_VERIFY_TOKEN: text,
  WHATSAPP_BASE_URL: address,
  KANNEL_URL: address,
  KANNEL_USERNAME: text,
  KANNEL_PASSWORD: text,
  KANNEL_FROM: text,
  KANNEL_INBOUND_SECRET: text,
  KANNEL_DLT_ENTITY: text,
  KANNEL_DLT_TEMPLATES: templateIds,
  SMS_CODES_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(300),
  MESSAGE_ANSWERS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(3_000),
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

/** The variables that could be read. */
export type Values = z.output<typeof Variables>;
