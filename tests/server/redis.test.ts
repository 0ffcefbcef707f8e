/** REDIS_URL: live events reach the processes through a Redis stream, and by NOTIFY while Redis is down (docs/decisions/100). */
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStream } from "#app/realtime/redis-stream.server.ts";
import { startRelay } from "#app/realtime/relay.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { newPhone } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type Pair, startPair } from "../setup/pair.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { notifyQueueChanged } from "../setup/record.ts";
import { REDIS_KINDS, startRedis, type TestRedis } from "../setup/redis.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { testDb } from "../setup/test-db.ts";

const { db, sql, ctx } = testDb();
const SLOW = { timeout: 20_000 };

describe.each(REDIS_KINDS)("with %s", (kind) => {
  describe("the relay and a reader", () => {
    let redis: TestRedis;
    const stops: (() => Promise<void>)[] = [];
    const [streamed, notified]: [string[], string[]] = [[], []];
    let [connected, lost] = [0, 0];
    beforeAll(async () => {
      redis = await startRedis(kind);
      const { unlisten } = await sql.listen("nadi_queues", (payload) => notified.push(payload));
      const reader = readStream(redis.url, {
        event: (channel, payload) => streamed.push(`${channel} ${payload}`),
        connected: () => connected++,
        lost: () => lost++,
      });
      const relay = startRelay(env().database, redis.url);
      stops.push(unlisten, reader.stop, relay.stop);
    });
    afterAll(async () => {
      await Promise.all(stops.splice(0).map((stop) => stop()));
      await redis?.end();
    });

    it("appends committed events in their order, equal ones once, and sends no NOTIFY", async () => {
      await expect.poll(() => connected, SLOW).toBe(1);
      // The relay's own connection: until it is open, events go by NOTIFY.
      await expect
        .poll(async () => {
          await notifyQueueChanged(ctx(), "begin");
          return streamed.length;
        }, SLOW)
        .toBeGreaterThan(0);
      await expect.poll(() => sql`select from live_events`, SLOW).toHaveLength(0);
      await expect.poll(() => streamed.splice(0), SLOW).toEqual([]);
      notified.length = 0;
      await db
        .transaction(async (tx) => {
          await notifyQueueChanged({ db: tx }, "rolled back");
          throw new Error("undo");
        })
        .catch(() => undefined);
      await db.transaction(async (tx) => {
        for (const id of ["one", "two", "one", "three"]) await notifyQueueChanged({ db: tx }, id);
      });
      await expect.poll(() => streamed, SLOW).toEqual(["nadi_queues one", "nadi_queues two", "nadi_queues three"]);
      await expect.poll(() => sql`select from live_events`, SLOW).toHaveLength(0);
      expect(notified).toEqual([]);
    });

    it("sends through Redis after it was restarted between two events", async () => {
      await redis.kill();
      await redis.start();
      await expect.poll(() => connected, SLOW).toBe(2);
      streamed.length = 0;
      await notifyQueueChanged(ctx(), "after a restart");
      await expect.poll(() => streamed, SLOW).toEqual(["nadi_queues after a restart"]);
      expect(notified).toEqual([]);
    });

    it("sends by NOTIFY while Redis is down, and through Redis once it is back", async () => {
      await redis.kill();
      await notifyQueueChanged(ctx(), "while it is down");
      await expect.poll(() => notified, SLOW).toEqual(["while it is down"]);
      await expect.poll(() => lost, SLOW).toBeGreaterThan(0);
      await redis.start();
      await expect.poll(() => connected, SLOW).toBe(3);
      streamed.length = 0;
      let n = 0;
      await expect
        .poll(async () => {
          await notifyQueueChanged(ctx(), `again ${n++}`);
          return streamed.length;
        }, SLOW)
        .toBeGreaterThan(0);
      await expect.poll(() => new Set([...streamed.map((event) => event.split("again ")[1]), ...notified]).size, SLOW).toBe(n + 1);
    });

    it("sends by NOTIFY while Redis hangs", async () => {
      notified.length = 0;
      redis.freeze();
      await notifyQueueChanged(ctx(), "while it hangs");
      await expect.poll(() => notified, SLOW).toEqual(["while it hangs"]);
      await expect.poll(() => sql`select from live_events`, SLOW).toHaveLength(0);
      redis.thaw();
    });
  });

  describe("two processes", () => {
    let redis: TestRedis;
    let pair: Pair;
    let [here, there]: [TestServer, TestServer] = [] as never;
    let me: LoggedIn;
    let socket: Socket;
    const received: string[] = [];
    let missed = 0;
    beforeAll(async () => {
      redis = await startRedis(kind);
      pair = await startPair({ env: { REDIS_URL: redis.url } });
      [here, there] = pair.processes;
      // Without appointments: the reminders of demo patients would arrive too.
      me = await loginAs(here, { role: "patient", phone: newPhone() });
      socket = io(there.url, {
        path: "/socket.io",
        transports: ["websocket"],
        extraHeaders: { cookie: `nadi_session=${me.token}`, origin: there.url },
      });
      socket.on("receiveNotification", ({ _id }: { _id: string }) => received.push(_id));
      socket.on("missed", () => missed++);
      await new Promise<void>((ok) => socket.on("connect", ok));
    });
    afterAll(async () => {
      socket?.disconnect();
      await pair?.stop();
      await redis?.end();
    });

    const publish = (id: string) => {
      const payload = JSON.stringify({ userId: me.userId, event: "receiveNotification", data: { _id: id } });
      return pair.sql`insert into live_events (channel, payload) values ('nadi_events', ${payload})`;
    };
    const statuses = () =>
      Promise.all([
        new Browser(here.url).get("/readyz").then(({ status }) => status),
        new Browser(there.url).get("/readyz").then(({ status }) => status),
        me.get("/patient/calendar").then(({ status }) => status),
      ]);

    it("brings an event to a socket of the other process", async () => {
      await publish("one");
      await expect.poll(() => received, SLOW).toEqual(["one"]);
    });

    it("continues without Redis, and asks open pages to reload once it is back", async () => {
      const before = missed;
      await redis.kill();
      expect(await statuses()).toEqual([200, 200, 200]);
      await publish("without");
      await expect.poll(() => received, SLOW).toContain("without");
      expect(await statuses()).toEqual([200, 200, 200]);
      expect(missed).toBe(before);
      await redis.start();
      await expect.poll(() => missed, SLOW).toBe(before + 1);
      await publish("after");
      await expect.poll(() => received, SLOW).toContain("after");
      expect(socket.connected).toBe(true);
    });

    it("drops a cached page of the other process", async () => {
      const [doctor] = await here.sql<{ id: string; name: string }[]>`
        select id, full_name as name from doctors where registration_status = 'verified' order by id limit 1`;
      const page = `/details/doctor/${doctor!.id}`;
      expect((await new Browser(there.url).get(page)).text).toContain(doctor!.name);
      const admin = await loginAs(here, DEMO.admin);
      expect((await admin.post(`/admin/doctors/${doctor!.id}/suspend`, { reason: "A test of Redis" })).status).toBe(303);
      await expect.poll(async () => (await new Browser(there.url).get(page)).status, SLOW).toBe(404);
    });

    it("starts while Redis is down", async () => {
      await redis.kill();
      const late = await startServer({ own: true, seed: false, env: { REDIS_URL: redis.url } });
      expect((await new Browser(late.url).get("/readyz")).status).toBe(200);
      await late.stop();
    });
  });
});
