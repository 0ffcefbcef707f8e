/**
 * The only reader of process.env. Parses it once, freezes it, and lists all problems at once. .env.example documents the
 * variables.
 */

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { forgetWith } from "#app/lib/of-start.ts";
import { vapidPairOf } from "#app/lib/vapid.server.ts";
import { keys, problemsOf } from "./variable-problems.server.ts";
import { Variables } from "./variables.server.ts";

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
  const demo = v.DEMO === undefined ? given.DATABASE_URL === undefined : v.DEMO === "1";
  const dataDir = resolve(v.DATA_DIR);

  const note = join(dataDir, "db.json");
  problems.push(...problemsOf({ values: v, unread, demo, note }));
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
    /** Messages of patients that are answered in a minute, by all processes together. */
    answersPerMinute: v.MESSAGE_ANSWERS_PER_MINUTE,
    sms: {
      provider: v.SMS_PROVIDER,
      /** SMS of patients are answered. undefined: they are not. */
      inboundProvider: v.SMS_INBOUND === "1" ? v.SMS_PROVIDER : undefined,
      missedCallSecret: v.MISSED_CALL_SECRET,
      codesPerMinute: v.SMS_CODES_PER_MINUTE,
      msg91: {
        authKey: v.MSG91_AUTH_KEY ?? "",
        inboundSecret: v.MSG91_INBOUND_SECRET ?? "",
        baseUrl: v.MSG91_BASE_URL ?? "https://control.msg91.com",
        templateIds: v.MSG91_TEMPLATE_IDS,
      },
      kannel: {
        url: v.KANNEL_URL ?? "http://127.0.0.1:13013",
        username: v.KANNEL_USERNAME ?? "",
        password: v.KANNEL_PASSWORD ?? "",
        from: v.KANNEL_FROM ?? "",
        inboundSecret: v.KANNEL_INBOUND_SECRET ?? "",
        dlt: { entity: v.KANNEL_DLT_ENTITY ?? "", templateIds: v.KANNEL_DLT_TEMPLATES },
      },
      twilio: {
        accountSid: v.TWILIO_ACCOUNT_SID ?? "",
        authToken: v.TWILIO_AUTH_TOKEN ?? "",
        from: v.TWILIO_FROM ?? "",
        baseUrl: v.TWILIO_BASE_URL ?? "https://api.twilio.com",
      },
    },
    /** Patients can write to Nadi. Without a channel no page mentions it. */
    hasConversations: demo || v.SMS_INBOUND === "1" || v.WHATSAPP_TOKEN !== undefined,
    /** What a message costs, in paise. undefined: not shown. */
    messagePrice: { sms: v.SMS_PRICE, whatsapp: v.WHATSAPP_PRICE },
    /** undefined: no messages by WhatsApp. */
    whatsApp: v.WHATSAPP_TOKEN
      ? {
          token: v.WHATSAPP_TOKEN,
          phoneId: v.WHATSAPP_PHONE_ID!,
          appSecret: v.WHATSAPP_APP_SECRET!,
          verifyToken: v.WHATSAPP_VERIFY_TOKEN!,
          baseUrl: v.WHATSAPP_BASE_URL ?? "https://graph.facebook.com",
        }
      : undefined,
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
      baseUrl: v.RAZORPAY_BASE_URL ?? (v.PAYMENT_PROVIDER === "local" ? localGateway(v.PORT) : "https://api.razorpay.com"),
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

const complaint = (problems: string[]) => `The environment is not complete:\n${problems.map((p) => `  - ${p}`).join("\n")}`;
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

/** Where the test gateway of a server listens by default: each server of a machine has its own. */
const localGateway = (port: number) => `http://127.0.0.1:${port > 60_000 ? port - 1343 : port + 1343}`;

let current: Env | undefined;
forgetWith(() => {
  current = undefined;
});
/** Returns the settings of this process, parsed at first use. */
export function env(): Env {
  current ??= readEnvironment(process.env);
  return current;
}
