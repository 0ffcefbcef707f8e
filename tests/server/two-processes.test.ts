/** Two processes with one database (docs/operations.md): no state that matters is in the memory of one. */

import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encrypt } from "#app/lib/crypto.server.ts";
import { newBoss } from "#app/queue/queue.server.ts";
import { askCode, Caller, newAddress, sendDoctorOtp, tryCode } from "../factories/logins.ts";
import { newPhone, typed } from "../factories/people.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { multipart, picture } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { type Pair, startPair } from "../setup/pair.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

const bucket = new Map<string, Buffer>();
const stub = await httpStub(({ method, path, body }) => {
  if (method === "PUT") bucket.set(path, body);
  if (method === "DELETE") bucket.delete(path);
  const found = bucket.get(path);
  return method === "GET" && !found ? { status: 404 } : { body: found ?? "" };
});
let pair: Pair;
let here: TestServer;
let there: TestServer;
beforeAll(async () => {
  pair = await startPair({
    ownFolders: true,
    env: {
      UPLOADS_S3_ENDPOINT: stub.url,
      UPLOADS_S3_BUCKET: "nadi",
      UPLOADS_S3_ACCESS_KEY_ID: "id",
      UPLOADS_S3_SECRET_ACCESS_KEY: "secret",
      SESSION_SECRET: "a secret that both processes are given",
    },
  });
  [here, there] = pair.processes;
});
afterAll(async () => {
  await pair?.stop();
  await stub[Symbol.asyncDispose]();
});

/** Returns the same browser at one of the processes. */
function at(server: TestServer, person: Browser): Browser {
  const same = new Browser(server.url);
  for (const [name, value] of person.cookies) same.cookies.set(name, value);
  return same;
}
const requestsOf = async (server: TestServer) =>
  [...(await (await fetch(`${server.url}/metrics`)).text()).matchAll(/^http_requests_total\{.*\} (\d+)$/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );

it("the proxy of these tests uses both in turn", async () => {
  const before = await Promise.all([requestsOf(here), requestsOf(there)]);
  for (let i = 0; i < 10; i++) expect((await new Browser(pair.url).get("/choose-role")).status).toBe(200);
  const after = await Promise.all([requestsOf(here), requestsOf(there)]);
  for (const i of [0, 1]) expect(after[i]! - before[i]!).toBeGreaterThanOrEqual(5);
});

describe("a user", () => {
  it("requests a code at one, sends it to the other, is logged in at both, and logs out of both at once", async () => {
    const phone = newPhone();
    const asked = new Caller(here.url, newAddress());
    const code = await askCode(here, asked, phone);
    const person = at(there, asked);
    expect((await tryCode(person, code)).status).toBe(303);
    expect((await person.get("/patient/calendar")).status).toBe(200);
    expect((await at(here, person).get("/patient/calendar")).status).toBe(200);
    const leaving = at(here, person);
    await leaving.post("/logout");
    expect((await person.get("/patient/calendar")).status).toBe(303);
  });

  it("is limited across both: codes and wrong passwords", async () => {
    const phone = newPhone();
    const send = (server: TestServer) =>
      new Caller(server.url, newAddress()).post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
    expect((await send(here)).status).toBe(303);
    expect((await send(there)).status).toBe(429);
    const address = newAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++)
      statuses.push(
        (
          await sendDoctorOtp(new Caller([here, there][i % 2]!.url, address), {
            email: DEMO.doctor.email,
            password: "not the password",
            mobile: newPhone(),
          })
        ).status,
      );
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect(statuses.slice(10)).toEqual([429, 429]);
  });

  it("uploads a picture to one, and sees it at the other", async () => {
    const me = await loginAs(here, { role: "patient", phone: newPhone() });
    const sent = await me.postFiles(
      "/patient/profile/edit",
      multipart({ name: "Two Servers", gender: "female" }, { photo: [[await picture(), "me.jpg"]] } as never),
    );
    expect(sent.status).toBe(303);
    const src = /src="(\/files\/[^"]+)"/.exec((await at(there, me).get("/patient/profile")).text)?.[1] ?? "";
    const seen = await at(there, me).get(src);
    expect([seen.status, seen.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(bucket.size).toBeGreaterThan(0);
  });

  it("changes something at one, and is notified on a page of the other", async () => {
    const me = await loginAs(here, DEMO.patient);
    const socket = io(there.url, {
      path: "/socket.io",
      transports: ["websocket"],
      extraHeaders: { cookie: `nadi_session=${me.token}`, origin: there.url },
    });
    try {
      const received = new Promise<string>((ok) => socket.on("receiveNotification", ({ title }: { title: string }) => ok(title)));
      await new Promise<void>((ok) => socket.on("connect", ok));
      const [visit] = await here.sql<{ id: string; email: string }[]>`
        select a.id, u.email from appointments a join users u on u.id = a.doctor_id
        where a.patient_id = ${me.userId} and a.status = 'pending' and a.date > current_date limit 1`;
      const doctor = await loginAs(here, { role: "doctor", email: visit!.email });
      await doctor.post(`/doctor/appointments/${visit!.id}/accept`);
      expect(await received).toContain("accepted");
    } finally {
      socket.disconnect();
    }
  });
});

it("drops a page that both cache when one changes it", async () => {
  const [doctor] = await here.sql<{ id: string; name: string }[]>`
    select id, full_name as name from doctors where registration_status = 'verified' order by id limit 1`;
  const page = `/details/doctor/${doctor!.id}`;
  for (const server of [here, there, here, there]) expect((await new Browser(server.url).get(page)).text).toContain(doctor!.name);
  const admin = await loginAs(here, DEMO.admin);
  expect((await admin.post(`/admin/doctors/${doctor!.id}/suspend`, { reason: "A test of two processes" })).status).toBe(303);
  await expect.poll(async () => (await new Browser(there.url).get(page)).status, { timeout: 10_000 }).toBe(404);
  await expect.poll(async () => (await new Browser(here.url).get(page)).status, { timeout: 10_000 }).toBe(404);
});

it("sends each email once, from either process", async () => {
  const boss = newBoss(pair.database, { work: false });
  await boss.start();
  const people = Array.from({ length: 12 }, (_, n) => `once-${n}@demo.test`);
  for (const to of people) await boss.send("email", { to, subject: "Once", body: encrypt("There", [DEMO_KEY], `jobs|letter|${to}`) });
  await boss.stop({ graceful: false });
  const left = () => pair.sql`select from pgboss.job where name = 'email' and state <> 'completed'`;
  await expect.poll(async () => (await left()).length, { timeout: 60_000 }).toBe(0);
  const sent = await pair.sql<{ to: string }[]>`select "to" from outbox_messages where subject = 'Once' order by "to"`;
  expect(sent.map(({ to }) => to)).toEqual(people.toSorted());
});

it("stops one of them without an effect on users", async () => {
  const patient = await loginAs(pair, DEMO.patient);
  const statuses = new Set<number>();
  let over = false;
  const visitors = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!over) statuses.add((await patient.get("/patient/calendar")).status);
    }),
  );
  expect(await here.stop()).toEqual({ code: 0, signal: null });
  for (let i = 0; i < 5; i++) statuses.add((await new Browser(pair.url).get("/choose-role")).status);
  over = true;
  await visitors;
  expect([...statuses]).toEqual([200]);
});
