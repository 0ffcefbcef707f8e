/** Webhooks from the page of the owner to the partner's receiver: pages, trigger, relay, worker. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { WEBHOOK_CHECK } from "#app/routes/api/addresses.ts";
import { readable } from "../factories/booking.ts";
import { makePatient, makeVisit } from "../factories/people.ts";
import { makeClinic } from "../factories/queues.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { type Receiver, startReceiver } from "../setup/receiver.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let [server, receiver]: [TestServer, Receiver] = [] as never;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let [owner, doctor]: [LoggedIn, LoggedIn] = [] as never;
const base = () => `/clinic/${clinic.place.id}/webhooks`;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ seed: false, env: { WEBHOOK_TEST_ORIGIN: receiver.origin } });
  clinic = await makeClinic(server.db);
  const [row] = await server.sql<{ email: string }[]>`select email from users where id = ${clinic.place.owner.userId}`;
  owner = await loginAs(server, { role: "staff", email: row!.email });
  doctor = await loginAs(server, { role: "doctor", email: clinic.doctor.email });
});
afterAll(async () => {
  await server?.stop();
  await receiver?.close();
});

const secretOf = (text: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(readable(text))![0];

it("refuses addresses that are not public, with the input preserved", async () => {
  for (const url of ["http://example.com/", "https://127.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://localhost/", "x"]) {
    const answer = await owner.post(`${base()}/add`, { url, label: "Lab", subjects: "appointment" });
    expect(answer.status, url).toBe(400);
    expect(readable(answer.text)).toContain("Enter a public address");
    expect(answer.text).toContain('value="Lab"');
  }
  const none = await owner.post(`${base()}/add`, { url: `${receiver.origin}/hook`, label: "" });
  expect([none.status, readable(none.text).includes("Choose at least one.")]).toEqual([400, true]);
});

it("sends a test event and a change of a doctor on a page, signed with the secret that the owner sees", { timeout: 60_000 }, async () => {
  const added = await owner.post(`${base()}/add`, { url: `${receiver.origin}/hook`, label: "Lab", subjects: "appointment" });
  expect(added.status).toBe(303);
  const secret = secretOf((await owner.get(added.location!)).text);
  const page = added.location!.replace(/\/secret$/, "");
  expect((await owner.post(page, { intent: "test" })).status).toBe(303);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 20_000 });
  const id = await makeVisit(server.db, { patient: await makePatient(server.db), doctor: clinic.doctor });
  expect((await doctor.post(`/doctor/appointments/${id}/accept`)).status).toBe(303);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 20_000 });
  const { readWebhook } = await import(`data:text/javascript,${encodeURIComponent(WEBHOOK_CHECK)}`);
  const events = receiver.received.map(({ headers, body }) => readWebhook(secret, headers, body));
  expect(events).toMatchObject([
    { type: "webhook.test", data: { place: clinic.place.id } },
    { type: "appointment.accept", data: { id, place: clinic.place.id, doctor: clinic.doctor.id, to: "accepted" } },
  ]);
  expect(receiver.received[1]!.body).not.toMatch(/Proof|\+91|Checkup/);
  await vi.waitFor(async () => expect(readable((await owner.get(page)).text).match(/Delivered/g)).toHaveLength(2), { timeout: 20_000 });

  expect((await owner.post(`${page}/secret`)).status).toBe(303);
  const rotated = await owner.get(`${page}/secret`);
  expect(secretOf(rotated.text)).not.toBe(secret);
  expect(readable(rotated.text)).toContain("The old secret is valid until");
  expect((await owner.post(`${page}/edit`, { url: `${receiver.origin}/other`, label: "", subjects: "review" })).status).toBe(303);
  expect((await owner.post(page, { intent: "pause" })).status).toBe(303);
  expect(readable((await owner.get(page)).text)).toContain("Messages wait here for up to 30 days.");
  expect((await owner.post(`${page}/remove`)).status).toBe(303);
  expect(readable((await owner.get(base())).text)).toContain("No address yet.");
  expect((await owner.get(page)).status).toBe(404);
});
