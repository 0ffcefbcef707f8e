/** `npm run start:payments`: a demo whose patients pay online, from one command. */
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
/** Returns the address and the hidden fields of a form. */
function formIn(html: string, action: RegExp) {
  const [, to, inside] = new RegExp(`<form[^>]*action="([^"]*${action.source})"[^>]*>([\\s\\S]*?)</form>`).exec(html)!;
  const fields = [...inside!.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]);
  return { to: to!, fields: Object.fromEntries(fields) as Record<string, string> };
}

it("starts the server and the gateway that it pays with, whose pages lead to a paid appointment", async () => {
  // As npm runs it, without the preparation that comes before `npm start`.
  const [, variables, start] = /^((?:\w+=\w+ )*)npm (start)$/.exec(scripts["start:payments"]!)!;
  expect(scripts[start!]).toBe("exec node server.ts");
  const env = Object.fromEntries(new URLSearchParams(variables!.trim().replaceAll(" ", "&")));
  const server = await startServer({ own: true, seed: false, env });
  onTestFinished(async () => void (await server.stop()));
  await vi.waitFor(() => expect(server.output()).toContain(`messages to ${server.url}`), { timeout: 30_000 });
  const [, gateway] = /test gateway at (\S+),/.exec(server.output())!;

  const slot = { date: dayFromNow(3), time: "10:00" };
  const doctor = await makeDoctor(server.db, { slots: [slot] });
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  const visit = bookedId(await book(patient, doctor.id, slot))!;
  const path = `/patient/appointments/payment/${visit}`;
  expect((await patient.post(path, { method: "online" })).status).toBe(303);
  const checkout = formIn((await patient.get(path)).text, /checkout\/embedded/);
  expect(new URL(checkout.to).origin).toBe(gateway);
  const send = async (to: string, fields: Record<string, string>) =>
    (await fetch(to, { method: "POST", body: new URLSearchParams(fields) })).text();
  const pay = formIn(await send(checkout.to, checkout.fields), /checkout\/submit/);
  const back = formIn(await send(`${gateway}${pay.to}`, { ...checkout.fields, outcome: "pay" }), /payments\/return\/[\w-]+/);
  const answer = await fetch(back.to, {
    method: "POST",
    body: new URLSearchParams(back.fields),
    headers: { origin: gateway!, "sec-fetch-site": "cross-site" },
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
  const shown = async () => readable((await patient.get(path)).text);
  // Until the order is applied the page says that the bank confirms.
  expect(await shown()).not.toContain("Pay ₹500 now");
  await vi.waitFor(async () => expect(await shown()).toContain("You paid ₹500"), { timeout: 30_000 });
  // The gateway's messages arrive too: authorized, captured, order paid.
  const applied = () => server.sql`select from payment_events where provider = 'local' and applied_at is not null`;
  await vi.waitFor(async () => expect(await applied()).toHaveLength(3), { timeout: 30_000 });
  expect(await server.sql`select state from payments where appointment_id = ${visit}`).toEqual([{ state: "captured" }]);
});
