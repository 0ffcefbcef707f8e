/** What a newcomer finds in the demo, over HTTP. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

it("the demo patient opens and prints a signed prescription, whose check says that it is valid", async () => {
  const patient = await loginAs(server, DEMO.patient);
  const [, path] = /href="(\/patient\/appointments\/[\w-]+\/documents\/[\w-]+)"/.exec((await patient.get("/patient/records")).text) ?? [];
  const printed = await patient.get(path!);
  expect(printed.status).toBe(200);
  const text = readable(printed.text);
  for (const part of ["Dr. Anjali Vemuri", "Krishna Heart Centre", "Lakshmi Prasanna Devi", "Amlodipine", "Atorvastatin", "Paracetamol"])
    expect(text).toContain(part);
  const [, check] = /(\/rx\/[\w-]+)/.exec(printed.text)!;
  const checked = await new Browser(server.url).get(check!);
  expect(checked.status).toBe(200);
  expect(readable(checked.text)).toContain("This document is signed and has not been changed.");
  expect(readable(checked.text)).toContain("Amlodipine");
  // Another patient does not open it.
  expect((await (await loginAs(server, { role: "patient", phone: "+919876500009" })).get(path!)).status).toBe(404);
  // The doctor reads it with the note in the visit.
  const [{ id }] = (await server.sql`select encounter_id as id from visit_documents where state = 'signed'`) as unknown as [{ id: string }];
  expect(readable((await (await loginAs(server, DEMO.doctor)).get(`/doctor/visits/${id}`)).text)).toContain("Essential hypertension");
});
