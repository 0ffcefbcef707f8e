import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDoctor, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db);
});
afterAll(() => server?.stop());

const FROM = "/doctorspages/Cards-data?q=dr&page=2";
const key = () => `doctor/${doctor.id}`;
const rows = async () => Number((await server.sql`select count(*) as n from favourites`)[0]!.n);

it("a form post returns to the same place of its page, and a script's post stays", async () => {
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  const back = `${FROM}#f-${doctor.id}`;
  expect(await patient.post("/favourites", { add: key(), from: FROM })).toMatchObject({ status: 303, location: back });
  expect(await rows()).toBe(1);
  expect(await patient.post("/favourites", { add: key(), from: FROM, stay: "1" })).toMatchObject({ status: 204, text: "" });
  expect(await rows()).toBe(1);
  expect(await patient.post("/favourites", { remove: key(), from: FROM })).toMatchObject({ status: 303, location: back });
  expect(await rows()).toBe(0);
});

it("refuses redirects to other sites, and a GET changes nothing", async () => {
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  for (const from of ["//evil.example", "https://evil.example/", "javascript:alert(1)"])
    expect((await patient.post("/favourites", { remove: key(), from })).location).toBe(`/patient-dashboard#f-${doctor.id}`);
  await patient.get(`/favourites?add=${encodeURIComponent(key())}&from=/`);
  expect(await rows()).toBe(0);
  for (const press of [{}, { add: "doctor/1" }, { add: key(), remove: key() }])
    expect((await patient.post("/favourites", press as Record<string, string>)).status).toBe(400);
});

it("reports unlisted favourites as gone, and refuses other roles with the reason", async () => {
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  const gone = await patient.post("/favourites", { add: `hospital/${doctor.id}`, from: "/patient-dashboard" });
  expect((await patient.follow(gone)).text).toContain("This doctor or hospital is no longer listed.");
  const other = await loginAs(server, { role: "doctor", email: doctor.email });
  expect((await other.follow(await other.post("/favourites", { add: key(), from: FROM }))).text).toContain(
    "Only patients can save favourites.",
  );
  expect(await rows()).toBe(0);
});

it("a visitor's press is stored until the login and added by it", async () => {
  const visitor = new Browser(server.url);
  const phone = newPhone();
  const pressed = await visitor.post("/favourites", { add: key(), from: FROM });
  const back = `${FROM}#f-${doctor.id}`;
  expect(pressed.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent(back)}`);
  const login = await visitor.follow(pressed);
  expect(login.text).toContain("Log in to save your favourite.");
  expect(await rows()).toBe(0);
  await visitor.post("/dual-patient", { intent: "send", phoneNumber: typed(phone), redirectTo: back });
  const done = await visitor.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone), redirectTo: back });
  expect(done.location).toBe(back);
  expect(visitor.cookies.has("nadi_favourite")).toBe(false);
  expect(await rows()).toBe(1);
});

it("a deleted or forged favourite does not prevent the login", async () => {
  for (const value of [`doctor/00000000-0000-4000-8000-000000000000`, "nonsense", "%E0%A4%A"]) {
    const visitor = new Browser(server.url);
    const phone = newPhone();
    visitor.cookies.set("nadi_favourite", value);
    await visitor.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
    const done = await visitor.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone) });
    expect(done.location, value).toBe("/patient-dashboard");
  }
  expect(await rows()).toBe(1);
});

it("lists the patient's favourites with a way to book, and a removal can be undone", async () => {
  const patient = await loginAs(server, { role: "patient", phone: newPhone() });
  expect((await patient.get("/favourites")).text).toContain("No favourites yet");
  const other = await makeDoctor(server.db, { name: "Dr. Not Chosen" });
  await patient.post("/favourites", { add: key(), from: "/" });
  const page = (await patient.get("/favourites")).text;
  expect(page).toContain(`href="/patient/appointments/datetime?doctorId=${doctor.id}"`);
  expect(page).not.toContain(other.id);
  const removed = await patient.post("/favourites", { remove: key(), from: "/favourites" });
  expect(removed.location).toBe(`/favourites?removed=${key()}`);
  const after = (await patient.follow(removed)).text;
  expect(after).toContain("is no longer a favourite.");
  const undo = /<button[^>]*>Undo/.exec(after)![0];
  for (const attribute of ['form="fav"', 'name="add"', `value="${key()}"`]) expect(undo).toContain(attribute);
  const back = await patient.post("/favourites", { add: key(), from: `/favourites?removed=${key()}` });
  expect((await patient.follow(back)).text).not.toContain("is no longer a favourite.");
  await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
  const unlisted = (await patient.get(`/favourites?removed=${key()}`)).text;
  expect(unlisted).toContain("No favourites yet");
  expect(unlisted).not.toContain("is no longer a favourite.");
  await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.id}`;
  expect((await patient.get("/patient/profile")).text).toContain('href="/favourites"');
  await patient.post("/favourites", { remove: key(), from: "/" });
  const visitor = await new Browser(server.url).get("/favourites");
  expect([visitor.status, visitor.location]).toEqual([303, "/dual-patient?redirectTo=%2Ffavourites"]);
});

it("refuses a press from another site", async () => {
  const patient = await loginAs(server, { role: "patient", phone: DEMO.patient.phone });
  expect((await patient.post("/favourites", { add: key() }, { origin: "https://evil.example" })).status).toBe(403);
  expect(await rows()).toBe(1);
});
