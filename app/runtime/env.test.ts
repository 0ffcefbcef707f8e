import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vapidPairOf } from "#app/lib/vapid.server.ts";
import { EnvironmentError, readEnvironment } from "./env.server.ts";

const dir = mkdtempSync(join(tmpdir(), "nadi-env-"));
const demo = { DATABASE_URL: "postgres://localhost/x", DEMO: "1", DATA_DIR: dir };
const production = {
  DATABASE_URL: "postgres://localhost/x",
  APP_URL: "https://nadi.example",
  SESSION_SECRET: "Qm3vR8xT1kZ7pL5nW9bH2cJ6dF4gS0aY",
  ENCRYPTION_KEY: "u7Xe2Bq9Vn4Kt6Ms1Rw8Lz3Pj5Hc0Dga",
  SMS_PROVIDER: "msg91",
  MSG91_AUTH_KEY: "k",
  SMTP_URL: "smtp://localhost",
  UPI_VPA: "nadi@bank",
};

describe("environment (contract.md)", () => {
  it("is demo on this machine only, with secrets that are generated once", () => {
    const first = readEnvironment(demo);
    expect(first.host).toBe("127.0.0.1");
    expect(first.origins).toEqual(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]);
    expect(readEnvironment(demo).sessionSecrets).toEqual(first.sessionSecrets);
  });
  it("has a test gateway beside each server of the machine", () => {
    const gatewayOf = (PORT: string) => readEnvironment({ ...demo, PAYMENT_PROVIDER: "local", PORT }).gateway?.baseUrl;
    expect(["3000", "3001", "65535"].map(gatewayOf)).toEqual(["http://127.0.0.1:4343", "http://127.0.0.1:4344", "http://127.0.0.1:64192"]);
  });
  it("is demo when DATABASE_URL is unset and not when it is set", () => {
    expect(() => readEnvironment({ DATA_DIR: dir })).toThrow(/embedded database/);
    expect(readEnvironment(production).demo).toBe(false);
    expect(readEnvironment(production).host).toBe("0.0.0.0");
  });
  const REQUIRED = ["APP_URL", "SESSION_SECRET", "ENCRYPTION_KEY", "SMS_PROVIDER", "SMTP_URL", "UPI_VPA"];
  it.each([
    ["is missing", { DATABASE_URL: "postgres://localhost/x" }, REQUIRED],
    ["is missing, with the database", { DEMO: "0", DATA_DIR: dir }, ["DATABASE_URL", ...REQUIRED]],
    [
      "cannot be read, and the rest that is missing",
      { DATABASE_URL: "mysql://localhost/x", PORT: "high", SMS_PROVIDER: "pigeon" },
      ["DATABASE_URL", "PORT", ...REQUIRED],
    ],
    ["is no address", { ...production, DATABASE_URL: "postgres://nadi:a b@[host/x" }, ["DATABASE_URL"]],
  ])("lists all problems together when %s", (_, given, names) => {
    let message = "";
    try {
      readEnvironment(given);
    } catch (error) {
      expect(error).toBeInstanceOf(EnvironmentError);
      message = (error as Error).message;
    }
    expect([...message.matchAll(/^ {2}- (\w+):/gm)].map(([, name]) => name).sort()).toEqual([...names].sort());
  });
  it.each([
    [{ CLOCK_FILE: "/tmp/clock" }, "CLOCK_FILE"],
    [{ SESSION_SECRET: "short" }, "SESSION_SECRET"],
    [{ SESSION_SECRET: "s".repeat(32) }, "SESSION_SECRET"],
    [{ ENCRYPTION_KEY: "passwordpasswordpasswordpassword" }, "ENCRYPTION_KEY"],
    [{ SESSION_SECRET: production.ENCRYPTION_KEY }, "SESSION_SECRET"],
    [{ SIGNING_KEYS: `Zt5Wc9Kx2Mv7Ra4Jp1Hq8Sn3Ld6Bf0Ey,${production.SESSION_SECRET}` }, "SIGNING_KEYS"],
    [{ APP_URL: "http://nadi.example" }, "APP_URL"],
    [{ APP_URL: "http://192.168.1.4:3000" }, "APP_URL"],
    [{ SMS_PROVIDER: "twilio" }, "TWILIO_ACCOUNT_SID"],
    [{ WHATSAPP_TOKEN: "t" }, "WHATSAPP_APP_SECRET: required"],
    [{ WHATSAPP_PHONE_ID: "+91 9000000001" }, "WHATSAPP_PHONE_ID: must be the id"],
    [{ WHATSAPP_VERIFY_TOKEN: "guess" }, "WHATSAPP_VERIFY_TOKEN: needs at least 20"],
    [{ PORT: "high" }, "PORT"],
    [{ REDIS_URL: "http://localhost:6379" }, "REDIS_URL"],
    [{ REDIS_URL: "redis://" }, "REDIS_URL"],
    [{ PAYMENT_LINK_TEMPLATE: "javascript:{reference}" }, "PAYMENT_LINK_TEMPLATE"],
    [{ PLATFORM_FEE: "20", PLATFORM_FEE_INVOICER: "Nadi" }, "PLATFORM_FEE: only with PAYMENT_PROVIDER"],
    [{ PAYMENT_PROVIDER: "local", PLATFORM_FEE: "20" }, "PLATFORM_FEE_INVOICER: required"],
    [{ PAYMENT_PROVIDER: "local", PLATFORM_FEE: "19.999", PLATFORM_FEE_INVOICER: "Nadi" }, "PLATFORM_FEE: must be rupees"],
    [{ PAYMENT_PROVIDER: "local", PLATFORM_FEE: "2000", PLATFORM_FEE_INVOICER: "Nadi" }, "PLATFORM_FEE: must be rupees"],
    [
      { PAYMENT_PROVIDER: "local", PLATFORM_FEE: "20", PLATFORM_FEE_INVOICER: "Nadi", PLATFORM_FEE_TAX: "IGST 18" },
      "PLATFORM_FEE_GSTIN: required",
    ],
    [{ PLATFORM_FEE_TAX: "18" }, "PLATFORM_FEE_TAX: must be names"],
    [{ PLATFORM_FEE_GSTIN: "27AAPFU0939F1ZU" }, "PLATFORM_FEE_GSTIN: is not a GSTIN"],
    [{ GEMINI_MODEL: "," }, "GEMINI_MODEL: must be names of models"],
    [{ GEMINI_MODEL: "gemini-x, https://evil.example/x" }, "GEMINI_MODEL: must be names of models"],
    [{ UPLOADS_S3_BUCKET: "b" }, "UPLOADS_S3_ENDPOINT"],
    [{ VAPID_PUBLIC_KEY: "x" }, "VAPID_PRIVATE_KEY"],
    [{ VAPID_PUBLIC_KEY: "x", VAPID_PRIVATE_KEY: "y", VAPID_SUBJECT: "https://nadi.example" }, "does not belong"],
    [{ ...vapidPairOf("test"), VAPID_SUBJECT: "me" }, "VAPID_SUBJECT"],
    [{ DATABASE_OWNER_URL: "postgres://localhost/y" }, "DATABASE_OWNER_URL"],
    [{ DATABASE_OWNER_URL: "postgres://localhost/x", DATABASE_URL: undefined }, "DATABASE_OWNER_URL"],
  ])("refuses %o", (more, name) => expect(() => readEnvironment({ ...production, ...more })).toThrow(name));
  it("reads the owner of the tables from DATABASE_OWNER_URL, otherwise from DATABASE_URL", () => {
    const one = readEnvironment(production);
    expect([one.oneDatabaseRole, one.databaseOwner]).toEqual([true, { url: "postgres://localhost/x" }]);
    const two = readEnvironment({ ...production, DATABASE_OWNER_URL: "postgres://owner@localhost/x" });
    expect([two.oneDatabaseRole, two.database, two.databaseOwner]).toEqual([
      false,
      { url: "postgres://localhost/x" },
      { url: "postgres://owner@localhost/x" },
    ]);
  });
  it("offers notifications of browsers with a key pair, and always in demo mode", () => {
    const { publicKey, privateKey } = vapidPairOf("test");
    const keys = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: "mailto:ops@nadi.example" };
    expect(readEnvironment(production).push).toBeUndefined();
    expect(readEnvironment({ ...production, ...keys }).push).toEqual({ publicKey, privateKey, subject: "mailto:ops@nadi.example" });
    expect(readEnvironment(demo).push).toEqual(readEnvironment(demo).push);
    expect(readEnvironment(demo).push?.publicKey).toHaveLength(87);
  });
  it("reads one model of Gemini or a list, and has a list of current ones", () => {
    const models = (GEMINI_MODEL?: string) =>
      readEnvironment({ ...demo, ...(GEMINI_MODEL !== undefined && { GEMINI_MODEL }) }).gemini.models;
    expect(models("gemini-x")).toEqual(["gemini-x"]);
    expect(models(" gemini-x,models/gemini-y , gemini-x,")).toEqual(["gemini-x", "models/gemini-y"]);
    for (const unset of [models(), models("")]) expect(unset.length).toBeGreaterThan(1);
    expect(models().join()).not.toMatch(/gemini-[12]/);
  });
  it("has conversations with any channel, and none without", () => {
    const whatsApp = { WHATSAPP_TOKEN: "t", WHATSAPP_PHONE_ID: "106540352242922", WHATSAPP_APP_SECRET: "s" };
    const given = { ...production, ...whatsApp, WHATSAPP_VERIFY_TOKEN: "a-word-of-twenty-characters" };
    expect(readEnvironment(production)).toMatchObject({ hasConversations: false, whatsApp: undefined });
    expect(readEnvironment(given)).toMatchObject({ hasConversations: true, whatsApp: { baseUrl: "https://graph.facebook.com" } });
  });
  it("rotates keys by a list, and reads libpq's socket form", () => {
    expect(
      readEnvironment({ ...production, ENCRYPTION_KEY: "Zt5Wc9Kx2Mv7Ra4Jp1Hq8Sn3Ld6Bf0Ey, u7Xe2Bq9Vn4Kt6Ms1Rw8Lz3Pj5Hc0Dga" })
        .encryptionKeys,
    ).toHaveLength(2);
    expect(readEnvironment({ ...production, DATABASE_URL: "postgres://postgres@localhost/app?host=/run/pg" }).database).toEqual({
      host: "/run/pg",
      port: 5432,
      username: "postgres",
      database: "app",
    });
  });
});
