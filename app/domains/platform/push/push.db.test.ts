/** The browsers of a user: added, replaced, limited, and gone with their login. */
import { createECDH, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { pushSubscriptions, rateLimits } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { endOtherSessions } from "#app/domains/platform/accounts/own-sessions.server.ts";
import { endSession, endSessionsOf, openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { makePatient, makeStaff, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { followPushBrowser, movePushBrowser } from "./follow-browser.server.ts";
import { addPushBrowser, listPushBrowsers, removePushBrowser } from "./subscriptions.server.ts";

const { db, ctx } = testDb();
let [me, other]: [Person, Person] = [] as never;
beforeEach(async () => {
  [me, other] = [await makePatient(db), await makePatient(db)];
  await db.delete(pushSubscriptions);
  await db.delete(rateLimits);
});

const newAddress = (endpoint = `https://push.example.com/${randomBytes(12).toString("hex")}`) => ({
  endpoint,
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
});
const logIn = async (who: Person) => hashToken(await openSession(ctx(), who.actor, "x"));
const CHROME = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0";
/** Logs in on a new browser that shows notifications. */
async function addBrowser(who = me, address = newAddress()) {
  const session = await logIn(who);
  await addPushBrowser(ctx(who.actor), session, address, CHROME);
  return { session, address };
}
const rows = () => db.select().from(pushSubscriptions);

describe("adding a browser", () => {
  it("stores its address sealed, and lists it first", async () => {
    await addBrowser();
    const { session, address } = await addBrowser();
    const listed = await listPushBrowsers(ctx(me.actor), session);
    expect(listed.map(({ current, device }) => [current, device.browser, device.system])).toEqual([
      [true, "Chrome", "Android"],
      [false, "Chrome", "Android"],
    ]);
    const [row] = await db
      .select({ address: opened(pushSubscriptions.address), raw: pushSubscriptions })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.sessionHash, session));
    expect(row!.address).toEqual(address);
    expect(JSON.stringify(row!.raw)).not.toContain(address.endpoint);
    expect(JSON.stringify(row!.raw)).not.toContain(address.auth);
  });
  it("replaces what the browser had before, also of another user", async () => {
    const { session } = await addBrowser();
    const address = newAddress();
    await addPushBrowser(ctx(me.actor), session, address, CHROME);
    expect((await rows()).map(({ endpointHash }) => endpointHash)).toEqual([hashToken(address.endpoint)]);
    await addBrowser(other, address);
    expect((await rows()).map(({ userId }) => userId)).toEqual([other.id]);
  });
  it("stores one row when the same browser is added twice at once", async () => {
    const session = await logIn(me);
    const address = newAddress();
    await Promise.all([1, 2, 3].map(() => addPushBrowser(ctx(me.actor), session, address, CHROME)));
    expect(await rows()).toHaveLength(1);
  });
  it("removes the oldest beyond ten", async () => {
    const first = await addBrowser();
    for (let n = 0; n < 8; n++) await addBrowser();
    const sessions = [await logIn(me), await logIn(me)];
    await Promise.all(sessions.map((session) => addPushBrowser(ctx(me.actor), session, newAddress(), CHROME)));
    const left = await rows();
    expect(left).toHaveLength(10);
    expect(left.map((row) => row.sessionHash)).not.toContain(first.session);
  });
  it("is limited", async () => {
    const session = await logIn(me);
    for (let n = 0; n < 20; n++) await addPushBrowser(ctx(me.actor), session, newAddress(), CHROME);
    await expect(addPushBrowser(ctx(me.actor), session, newAddress(), CHROME)).rejects.toMatchObject({ code: "too-many" });
  });
  it.each([
    ["http", newAddress("http://push.example.com/x")],
    ["a private address", newAddress("https://10.0.0.1/x")],
    ["another port", newAddress("https://push.example.com:22/x")],
    ["no address", newAddress("push")],
    ["no key", { ...newAddress(), p256dh: "x" }],
    ["no secret", { ...newAddress(), auth: "" }],
  ])("refuses %s", async (_, address) => {
    await expect(addPushBrowser(ctx(me.actor), await logIn(me), address, CHROME)).rejects.toMatchObject({ code: "invalid" });
  });
  it("is refused to other roles, and for a session that has ended", async () => {
    const admin = await makeStaff(db, "admin");
    await expect(addPushBrowser(ctx(admin), "x", newAddress(), CHROME)).rejects.toMatchObject({ code: "forbidden" });
    await expect(addPushBrowser(ctx(me.actor), "gone", newAddress(), CHROME)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(addPushBrowser(ctx(me.actor), await logIn(other), newAddress(), CHROME)).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
  it("does not exist without VAPID keys", async () => {
    const at = ctx(me.actor);
    const without = { ...at, integrations: { ...at.integrations, push: null } };
    await expect(listPushBrowsers(without, "")).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a browser is gone", () => {
  it("when its owner removes it; other users cannot", async () => {
    const { session } = await addBrowser();
    const [browser] = await listPushBrowsers(ctx(me.actor), session);
    const { id } = browser!;
    await removePushBrowser(ctx(other.actor), id);
    await removePushBrowser(ctx(me.actor), "no id");
    expect(await rows()).toHaveLength(1);
    await removePushBrowser(ctx(me.actor), id);
    await removePushBrowser(ctx(me.actor), id);
    expect(await rows()).toEqual([]);
  });
  it("after a logout, and after the other sessions were ended", async () => {
    const [here, there, third] = [await addBrowser(), await addBrowser(), await addBrowser()];
    await endSession(ctx(), there.session);
    await endOtherSessions(ctx(me.actor), here.session);
    expect((await rows()).map((row) => row.sessionHash)).toEqual([here.session]);
    await endSessionsOf(ctx(), me.id);
    expect(await rows()).toEqual([]);
    expect(third.session).not.toBe(here.session);
  });
});

describe("a new login in the same browser", () => {
  it("of the same user takes the subscription along", async () => {
    const { session } = await addBrowser();
    const next = await logIn(me);
    await movePushBrowser(ctx(), session, next);
    await endSession(ctx(), session);
    expect((await rows()).map((row) => row.sessionHash)).toEqual([next]);
  });
  it("of another user ends it", async () => {
    const { session } = await addBrowser();
    await movePushBrowser(ctx(), session, await logIn(other));
    await endSession(ctx(), session);
    expect(await rows()).toEqual([]);
  });
});

describe("what the service worker reports", () => {
  const at = (who: Person, tokenHash: string) => ({ userId: who.id, tokenHash });
  it("changes nothing for the same login, and for a visitor", async () => {
    const { session, address } = await addBrowser();
    const before = await rows();
    expect(await followPushBrowser(ctx(), at(me, session), address)).toBe(true);
    expect(await followPushBrowser(ctx(), null, address)).toBe(true);
    expect(await rows()).toEqual(before);
  });
  it("ends an unknown subscription, and that of another user", async () => {
    const { session, address } = await addBrowser();
    expect(await followPushBrowser(ctx(), at(me, session), newAddress())).toBe(false);
    expect(await followPushBrowser(ctx(), at(other, await logIn(other)), address)).toBe(false);
    expect(await rows()).toEqual([]);
  });
  it("follows the user to a new login", async () => {
    const { address } = await addBrowser();
    const next = await addBrowser();
    expect(await followPushBrowser(ctx(), at(me, next.session), address)).toBe(true);
    expect((await rows()).map(({ sessionHash, endpointHash }) => [sessionHash, endpointHash])).toEqual([
      [next.session, hashToken(address.endpoint)],
    ]);
  });
  it("replaces the address, of its own user only", async () => {
    const { session, address } = await addBrowser();
    const next = newAddress();
    expect(await followPushBrowser(ctx(), null, { endpoint: address.endpoint, next })).toBe(true);
    expect((await rows())[0]!.endpointHash).toBe(hashToken(address.endpoint));
    const bad = { endpoint: address.endpoint, next: newAddress("http://10.0.0.1/") };
    await expect(followPushBrowser(ctx(), at(me, session), bad)).rejects.toMatchObject({ code: "invalid" });
    expect(await followPushBrowser(ctx(), at(me, session), { endpoint: address.endpoint, next })).toBe(true);
    expect((await rows())[0]!.endpointHash).toBe(hashToken(next.endpoint));
  });
});
