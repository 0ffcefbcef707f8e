/** A complete journey with every kind of failure, after which the output of the process contains nothing private. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatPhone } from "#app/lib/phone.ts";
import { book, bookedId, bookingPage } from "../factories/booking.ts";
import { askCode, pressContinue, proveDoctorPhone, sendDoctorOtp, tryCode, wrongCode } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, newPhone, typed } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { Browser, raw } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ own: true, seed: false, env: { LOG_LEVEL: "debug" } });
});
afterAll(() => server?.stop());

it("the log has no phone, code, name, email, health word, password, token or file name", async () => {
  const secrets = new Map<string, string>();
  const addSecret = (what: string, ...values: string[]) => {
    for (const value of values) secrets.set(value, what);
  };
  const codes: string[] = [];
  const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: dayFromNow(4), time }));
  const password = "Hygiene-pass-77";
  const doctor = await makeDoctor(server.db, { name: "Dr. Loganathan Quiet", slots, password });
  const phone = newPhone();
  for (const p of [phone, doctor.phone, "+919812345678"]) addSecret("phone", p, typed(p), formatPhone(p), formatPhone(p).slice(4));
  addSecret("password", password, `${password}-wrong`);
  addSecret("email", doctor.email);

  // The patient logs in: an invalid number, a wrong code, the right one.
  const patient = new Browser(server.url);
  await patient.post("/dual-patient", { intent: "send", phoneNumber: "98123456789999999999" });
  codes.push(await askCode(server, patient, phone));
  addSecret("challenge", patient.cookies.get("nadi_otp_patient")!);
  await tryCode(patient, wrongCode(codes[0]!));
  codes.push(wrongCode(codes[0]!));
  await tryCode(patient, codes[0]!);
  addSecret("session", patient.cookies.get("nadi_session")!);

  // Books, with refusals, and private words in wrong fields.
  const person = {
    name: "Parvathamma Logtest",
    phone: "9812345678",
    medicalHistory: "Tuberculosis and HIV",
    reason: "Haemoptysis",
    idempotencyKey: "hygiene-key-12345",
  };
  addSecret("name", "Parvathamma", "Logtest", "Loganathan");
  addSecret("health", "Tuberculosis", "HIV", "Haemoptysis", "Chest-xray");
  addSecret("file", "parvathamma-biopsy");
  addSecret("key", person.idempotencyKey);
  const photo = asFile(await photoWithPlace(), "parvathamma-biopsy.jpg");
  await book(patient, doctor.id, slots[0]!, { ...person, age: "900" }, [photo]);
  await book(patient, doctor.id, slots[0]!, person, [
    asFile("<html>", "parvathamma-biopsy.png"),
    asFile(Buffer.alloc(11e6, 1), "parvathamma-biopsy.jpg"),
  ]);
  const id = bookedId(await book(patient, doctor.id, slots[0]!, { ...person, newRecordDescription: "Chest-xray" }, [photo]))!;
  expect(id).toBeTruthy();
  await patient.get(`/doctorspages/Cards-data?q=${encodeURIComponent("Parvathamma Tuberculosis")}&phone=${typed(phone)}`);
  await patient.get(`/patient/calendar?x=${encodeURIComponent(person.medicalHistory)}`);
  await server.outbox(phone);
  await raw(server.url, {
    path: `/dual-patient?otp=${codes[0]}&phone=${typed(phone)}`,
    headers: { "user-agent": "Parvathamma's phone", referer: `${server.url}/?q=Tuberculosis` },
  });
  await raw(server.url, {
    method: "POST",
    path: "/dual-patient",
    headers: { "content-type": "text/plain" },
    body: `phone=${typed(phone)}`,
  });
  await raw(server.url, {
    method: "POST",
    path: "/dual-patient",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
    body: `phoneNumber=${typed(phone)}`,
  });
  await patient.send("POST", bookingPage(doctor.id, slots[1]!), {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: "--x\r\nParvathamma Tuberculosis",
  });

  // The doctor: a wrong password, the right one, reads, changes.
  const asDoctor = new Browser(server.url);
  await sendDoctorOtp(asDoctor, { email: doctor.email, password: `${password}-wrong`, mobile: doctor.phone });
  codes.push(await server.lastCode(doctor.phone));
  server.clock.advance(31_000);
  await proveDoctorPhone(server, asDoctor, { email: doctor.email, password, mobile: doctor.phone });
  codes.push(await server.lastCode(doctor.phone));
  await pressContinue(asDoctor);
  addSecret("session", asDoctor.cookies.get("nadi_session")!);
  expect((await asDoctor.get(`/doctor/patient/${id}`)).text).toContain("Parvathamma");
  const [document] = await server.sql<{ file_id: string }[]>`select file_id from medical_records where appointment_id = ${id}`;
  expect((await asDoctor.get(`/files/${document!.file_id}?download=1`)).status).toBe(200);
  await asDoctor.post(`/doctor/appointments/${id}/accept`);
  await asDoctor.post(`/doctor/appointments/${id}/accept`);

  // The database fails in the middle of a booking: the error of the driver contains every value.
  await server.sql`alter table appointments add constraint proof check (patient_name <> 'Parvathamma Logtest') not valid`;
  const broken = await book(patient, doctor.id, slots[1]!, { ...person, idempotencyKey: "hygiene-key-98765" });
  expect(broken.status).toBe(500);
  expect(broken.text).not.toMatch(/Failed query|insert into|violates/);
  await server.sql`alter table appointments drop constraint proof`;
  await server.sql`alter table medical_records rename to medical_records_away`;
  expect((await asDoctor.get(`/doctor/patient/${id}`)).status).toBe(500);
  await server.sql`alter table medical_records_away rename to medical_records`;
  await patient.post("/logout");

  const output = server.output();
  const lines = server.logs();
  expect(lines.filter((l) => l.msg === "request").length).toBeGreaterThan(20);
  expect(lines.some((l) => l.level === "error")).toBe(true);
  for (const line of lines)
    for (const name of ["cookie", "authorization", "body", "query", "headers"]) expect(line).not.toHaveProperty(name);
  const found = [...secrets].filter(([secret]) => output.includes(secret) || output.includes(encodeURIComponent(secret)));
  expect(found).toEqual([]);
  for (const code of codes) expect(output).not.toMatch(new RegExp(`\\b${code}\\b`));
}, 60_000);
