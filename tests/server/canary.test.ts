/**
 * Types a unique word into every text field of every form and call of the API, then searches all tables, DATA_DIR, a backup, live events
 * and the log for it. The fields come from the product's own schemas (tests/setup/text-fields.ts): a new field without a word here fails.
 */
import { spawnSync } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import type { Args } from "../api/client.ts";
import { tokenFor } from "../api/people.ts";
import { Authenticator } from "../factories/authenticator.ts";
import { bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { decisionFields, makeAdmin, makeCase, makeHospital, makeReviewer } from "../factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { asFile, png } from "../factories/pictures.ts";
import { makeSession } from "../factories/queues.ts";
import { allPictures, multipart, plain, professional } from "../setup/applications.ts";
import {
  aadhaar,
  account,
  CODES_IN_CLEAR,
  call,
  canaries,
  codeOf,
  codes,
  document,
  events,
  FIELDS,
  form,
  hasCode,
  IN_CLEAR,
  idOf,
  ifsc,
  isIn,
  mail,
  note,
  pan,
  phone,
  picture,
  recording,
  scriptNames,
  secret,
  secretName,
  server,
  word,
  words,
} from "../setup/canaries.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { actionsWithoutForm } from "../setup/text-fields.ts";

it("types into the forms of patients", async () => {
  const me = new Browser(server.url);
  const mobile = phone();
  await form("routes/auth/dual-patient.tsx", me, "/dual-patient", {
    intent: "send",
    phoneNumber: mobile,
    redirectTo: `/patient-dashboard?q=${word()}`,
  });
  await form("routes/auth/dual-patient.tsx", me, "/dual-patient", { intent: "verify", otp: await codeOf(`+91${mobile}`) });
  secret("session", me.cookies.get("nadi_session")!);
  const [{ id }] = (await server.sql`select id from users where phone = ${`+91${mobile}`}`) as unknown as [{ id: string }];
  const profile = "routes/patient/profile-edit.tsx";
  const person = { ...words(...FIELDS.get(profile)!), dateOfBirth: "1985-02-03", gender: "female" };
  await form(profile, me, "/patient/profile/edit", person, { photo: await picture("name of a photo") });
  const member = { relation: "mother", gender: "female", age: "64" };
  await form("routes/patient/family-add.tsx", me, "/patient/family/add", { ...member, ...words("name") });
  await form("routes/patient/family-edit.tsx", me, `/patient/family/${await idOf("family_members", "patient_id", id)}`, {
    ...member,
    ...words("name"),
  });
  const added = { recordType: "other", date: "1983-05-06", ...words("description") };
  await form("routes/patient/records/add.tsx", me, "/patient/records/add", added, { file: await picture("name of an own document") });
  const shared = await me.post(`/patient/records/share/own/${await idOf("own_records", "patient_id", id)}`, { intent: "share" });
  const link = /\/s\/([\w-]{22})/.exec(shared.text)![1]!;
  secret("link to a record", link);
  expect((await new Browser(server.url).get(`/s/${link}/open`)).status).toBe(200);
  const address = mail();
  await form("routes/patient/email.tsx", me, "/patient/settings/email", { intent: "save", email: address });
  await expect.poll(async () => (await server.outbox(address))[0]?.body ?? "", { timeout: 15_000 }).toContain("/confirm-email/");
  await me.post(/\/confirm-email\/[\w-]+/.exec((await server.outbox(address))[0]!.body)![0], {});
  await form("routes/patient/enquiry.tsx", me, "/patient/appointments/Query", {
    symptoms: `cough ${word()}`,
    ...words("started", "medications"),
  });
  for (const unit of ["routes/patient/favourites.tsx", "routes/public/language.tsx"]) {
    const from = `/doctorspages/Cards-data?q=${word()}`;
    const doctor = await makeDoctor(server.db);
    if (unit.includes("fav")) await form(unit, me, "/favourites", { add: `doctor/${doctor.id}`, from });
    else await form(unit, me, "/language", { language: "en", from });
  }
  const written = { channel: "sms", phone: phone(), ...words("text") };
  await form("routes/dev/phone.tsx", new Browser(server.url), "/dev/phone", written);
  await form("routes/sos/emergency-contact.tsx", new Browser(server.url), "/patient/emergency-contact", {
    intent: "place",
    ...words("place"),
  });

  const browser = () => ({
    endpoint: `https://push.example.com/${word()}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  });
  const [subscribed, { endpoint: next, ...keys }] = [browser(), browser()];
  await form("routes/settings/push.tsx", me, "/patient/settings/push", { intent: "on", ...subscribed });
  await form("routes/public/push-browser.ts", me, "/push/browser", { endpoint: subscribed.endpoint, next, ...keys });

  const full = await makeDoctor(server.db);
  const fresh = await loginAs(server, { role: "patient", phone: `+91${phone()}` });
  const waiting = { who: "me", age: "34", gender: "female", days: "7", ...words("name") };
  await form("routes/patient/waitlist/join.tsx", fresh, `/patient/waitlist/join?doctorId=${full.id}`, waiting);

  const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: dayFromNow(4), time }));
  const doctor = await makeDoctor(server.db, { slots, password: "a-long-password-1" });
  const unit = "routes/patient/booking-patient-detail.tsx";
  const booking = {
    ...words("name", "medicalHistory", "note", "reason"),
    phone: phone(),
    age: "34",
    gender: "female",
    bloodGroup: "B+",
    idempotencyKey: `canary-${word()}`,
  };
  const draft = { ...booking, intent: "add", newRecordType: "other", newRecordDescription: secretName("description of a record") };
  const at = bookingPage(doctor.id, slots[0]!);
  await form(unit, me, at, draft, { newRecords: await picture("name of a record") });
  const received = valuesOf((await me.get(at)).text);
  const records = Object.fromEntries(Object.entries(received).filter(([name]) => name.startsWith("records[")));
  const booked = await form(unit, me, at, { ...booking, ...records, "records[0].description": word(), intent: "book" });
  expect(booked.location).toContain("/payment/");

  const key = () => `canary-${word()}`;
  await form(
    "routes/patient/ai-chat.tsx",
    me,
    "/patient/ai-chat",
    { intent: "ask", key: key(), message: `my ${word()} hurts` },
    { file: document() },
  );
  await form(
    "routes/assistant/ask-assistant.server.ts",
    me,
    "/patient/ai-chat/ask",
    { key: key(), message: `is ${word()} good for me` },
    { voice: recording() },
  );

  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  await form("routes/doctor/ai-chat.tsx", asDoctor, "/doctor/ai-chat", { intent: "ask", key: key(), message: `what about ${word()}` });
  const coming = await idOf("appointments", "patient_id", id);
  await form("routes/agenda/confirm.tsx", asDoctor, `/doctor/appointments/${coming}/cancel`, {
    reason: "busy",
    ...words("note"),
  });
  const place = await makePlace(server.db);
  await addPlaceDoctor(server.db, place.id, doctor.id);
  await server.sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
  const done = await makeVisit(
    server.db,
    { patient: { id, phone: `+91${mobile}`, actor: { userId: id, role: "patient" } }, doctor },
    { status: "completed", date: dayFromNow(-2) },
  );
  const [owner] = await server.sql<{ email: string }[]>`select email from users where id = ${place.owner.userId}`;
  const asOwner = await loginAs(server, { role: "staff", email: owner!.email });
  await form("routes/money/record.tsx", asOwner, `/clinic/${place.id}/visits/${done}/payment`, {
    ...{ key: key(), method: "upi", amount: "1" },
    ...words("reference"),
  });
  const atDesk = await makeVisit(
    server.db,
    { patient: { id, phone: `+91${mobile}`, actor: { userId: id, role: "patient" } }, doctor },
    { date: dayFromNow(3), time: "10:30" },
  );
  await form("routes/agenda/confirm.tsx", asOwner, `/desk/appointments/${atDesk}/cancel`, { reason: "busy", ...words("note") });
  await form("routes/money/record.tsx", asDoctor, `/doctor/patient/${done}/payment`, {
    ...{ key: key(), method: "upi", amount: "499" },
    ...words("reference"),
  });
  await form("routes/patient/review.tsx", me, `/patient/appointments/${done}/review`, { rating: "4", ...words("words") });
  const review = await idOf("reviews", "appointment_id", done);
  const visit = "routes/doctor/visit/visit-page.server.ts";
  await form(visit, asDoctor, `/doctor/visits/${done}`, { save: "1", version: "0", lines: "20", ...words(...FIELDS.get(visit)!) });
  await server.sql`update doctors set council_number = 'APMC/2012/61742', qualifications = '[{"degree":"MBBS"}]' where id = ${doctor.id}`;
  await form("routes/doctor/visit/certificate.tsx", asDoctor, `/doctor/visits/${done}/certificate`, {
    ...{ type: "fitness", from: dayFromNow(-1) },
    ...words(...FIELDS.get("routes/doctor/visit/certificate.tsx")!),
  });
  const order = "routes/doctor/visit/order.tsx";
  const tests = words(...FIELDS.get(order)!);
  const { seen } = valuesOf((await form(order, asDoctor, `/doctor/visits/${done}/order`, tests)).text);
  expect((await asDoctor.post(`/doctor/visits/${done}/order`, { ...tests, seen: seen!, intent: "sign" })).status).toBe(303);
  const [signed] = await server.sql<{ id: string; code: string }[]>`
    select id, code from visit_documents where encounter_id = ${done} and kind = 'order'`;
  const result = { recordType: "other", date: "1984-07-08" };
  await form(
    "routes/results/add.tsx",
    asDoctor,
    `/doctor/visits/${done}/order/${signed!.id}/result`,
    { ...result, ...words("description") },
    { file: await picture("name of the doctor's result") },
  );
  await form(
    "routes/results/add.tsx",
    asOwner,
    `/clinic/${place.id}/results`,
    { ...result, code: signed!.code, ...words("description") },
    { file: await picture("name of the place's result") },
  );
  // A prescription that is signed in spite of an allergy.
  const taken = word();
  const page = `/doctor/visits/${done}`;
  const { version } = valuesOf((await asDoctor.get(page)).text);
  const line = { lines: "1", medicine_1: taken, strength_1: "25 mg", dose_1_morning: "1", days_1: "5" };
  const fields = { version: version!, language: "en", diagnosis: word(), allergies: taken, ...line, review: "1" };
  const reviewed = await asDoctor.post(page, fields);
  expect(reviewed.location, plain(reviewed.text).slice(0, 500)).toBe(`${page}/review`);
  const stopped = valuesOf((await asDoctor.get(`${page}/review`)).text);
  await form("routes/doctor/visit/review.tsx", asDoctor, `${page}/review`, {
    version: stopped.version!,
    seen: stopped.seen!,
    ...words("because"),
  });
  await form("routes/reviews/report.tsx", asDoctor, `/doctor/reviews/${review}/report`, { reason: "untrue", ...words("note") });
  const admin = await loginAs(server, await makeAdmin(server.db));
  await form("routes/doctor/review-reply.tsx", asDoctor, `/doctor/reviews/${review}/reply`, { intent: "save", ...words("reply") });
  await form("routes/admin/review.tsx", admin, `/admin/reviews/${review}`, { intent: "hide-reply", ...words("reason") });
  await form("routes/admin/review.tsx", admin, `/admin/reviews/${review}`, { intent: "hide", ...words("reason") });
  await form("routes/support/write.tsx", me, "/patient/support/write", { key: key(), topic: "records", ...words("message") });
  const question = await idOf("support_threads", "user_id", id);
  await form("routes/support/thread.tsx", me, `/patient/support/${question}`, { key: key(), intent: "reply", ...words("message") });
  const { seen: newest } = valuesOf((await admin.get(`/admin/support/${question}`)).text);
  await form("routes/admin/support/thread.tsx", admin, `/admin/support/${question}`, {
    ...{ key: key(), intent: "answer", seen: newest! },
    ...words("message"),
  });
});

it("types into the forms of doctors", async () => {
  const me = new Browser(server.url);
  const [email, mobile, password] = [mail(), phone(), `${word()}Long`];
  await form("routes/auth/dual-doctor.tsx", me, "/dual-doctor", { intent: "send-otp", mode: "register", email, mobile, password });
  await form("routes/auth/dual-doctor.tsx", me, "/dual-doctor", { intent: "verify-otp", otp: await codeOf(`+91${mobile}`) });
  expect((await me.post("/dual-doctor", { intent: "continue" })).status).toBe(303);
  secret("session", me.cookies.get("nadi_session")!);
  await form("routes/onboarding/hospital-form.tsx", me, "/hospital-form", {
    ...{ mode: "manual", intent: "next", contactNumber: phone() },
    ...words("hospitalName", "hospitalAddress", "q"),
  });
  const step = {
    ...professional(
      words(
        "fullName",
        "medicalCouncilRegistrationNumber",
        "medicalCouncilName",
        "primarySpecialization",
        "additionalSpecializations",
        "about",
        "city",
        "state",
      ),
    ),
    ...{ "qualifications[0].degree": word(), "qualifications[0].universityCollege": word() },
    ...{ languages: word(), aadhaarNumber: aadhaar(), panNumber: pan() },
  };
  const sent = await me.postFiles("/doctor-verification", multipart(step, await allPictures()));
  expect(sent.location, readable(sent.text).slice(0, 800)).toBe("/banking-information");
  note("routes/onboarding/doctor-verification.tsx", { ...step, languages: [step.languages] });
  const bank = { ...words("bankName", "accountHolderName", "bankBranch"), accountNumber: account(), ifscCode: ifsc() };
  const last = await form("routes/onboarding/banking-information.tsx", me, "/banking-information", bank);
  expect(last.location).toBe("/doctor-verify");

  const verified = await makeCase(server.db, { key: DEMO_KEY, status: "verified", hospital: await makeHospital(server.db) });
  await server.sql`update doctors set gender = 'female', date_of_birth = '1985-04-12', experience_years = 9, about = 'Lungs.' where id = ${verified.id}`;
  const asDoctor = await loginAs(server, verified.email ? { role: "doctor", email: verified.email } : { role: "doctor" });
  const shown = valuesOf((await asDoctor.get("/doctor/profile/edit")).text);
  const change = {
    ...{
      gender: "female",
      category: "General",
      hospitalId: "",
      contactNumber: phone(),
      accountNumber: account(),
      ifscCode: ifsc(),
      languages: word(),
    },
    ...scriptNames(),
    ...words(
      "fullName",
      "about",
      "primarySpecialization",
      "additionalSpecializations",
      "councilName",
      "councilNumber",
      "hospitalName",
      "hospitalAddress",
    ),
    ...words("bankName", "bankBranch", "accountHolderName"),
  };
  const saved = await form("routes/doctor/profile-edit.tsx", asDoctor, "/doctor/profile/edit", { ...shown, ...change }, {});
  expect(saved.status, readable(saved.text)).toBe(303);
  note("routes/doctor/profile-edit.tsx", { languages: [change.languages] });
  await form("routes/doctor/leave/add.tsx", asDoctor, "/doctor/leave/add", {
    ...{ intent: "enter", from: dayFromNow(30), until: dayFromNow(31), booked: "keep" },
    ...words("note"),
  });

  const admin = await loginAs(server, await makeAdmin(server.db));
  const bankChange = await server.sql<{ id: string }[]>`select id from profile_changes where doctor_id = ${verified.id} and field = 'bank'`;
  await form("routes/admin/change-reveal.tsx", admin, `/admin/changes/${bankChange[0]!.id}/reveal`, words("reason"));
  await form("routes/admin/change.tsx", admin, `/admin/changes/${bankChange[0]!.id}`, { intent: "refuse", ...words("reason") });
});

it("types into the forms of reviewers and administrators", async () => {
  const house = await makeHospital(server.db);
  const [staff, made] = [await makeReviewer(server.db, house), await makeAdmin(server.db)];
  const [reviewer, admin] = [await loginAs(server, staff), await loginAs(server, made)];
  const waiting = () => makeCase(server.db, { key: DEMO_KEY, hospital: house });
  const first = await waiting();
  await form("routes/reviewer/case.tsx", reviewer, `/reviewer/cases/${first.id}`, decisionFields(first, "send-back", [[word()]], word()));
  const second = await waiting();
  const document = second.documents[1]!;
  await form("routes/files/document.tsx", reviewer, `/documents/${document.id}`, {
    seen: second.seen,
    version: document.version,
    decision: "ask-again",
    ...words("reason"),
  });
  const third = await makeCase(server.db, {
    ...{ key: DEMO_KEY, hospital: house, status: "pending admin approval", decided: "matches" },
    ...{ approvedBy: staff.userId, openedBy: [made.userId] },
  } as Parameters<typeof makeCase>[1]);
  await form("routes/cases/reveal.tsx", admin, `/admin/doctors/${third.id}/reveal/pan`, words("reason"));
  await form("routes/admin/doctor.tsx", admin, `/admin/doctors/${third.id}`, decisionFields(third, "send-back", [[word()]], word()));
  const doctor = await makeCase(server.db, { key: DEMO_KEY, hospital: house, status: "verified" });
  await form("routes/admin/doctor-suspend.tsx", admin, `/admin/doctors/${doctor.id}/suspend`, words("reason"));
  const visitor = await makePatient(server.db);
  const visit = await makeVisit(server.db, { patient: visitor, doctor }, { status: "accepted" });
  const cancelled = { intent: "cancel", visits: visit, reason: "doctor-left", ...words("note") };
  expect((await form("routes/admin/doctor-visits.tsx", admin, `/admin/doctors/${doctor.id}/visits`, cancelled)).status).toBe(303);
  await form("routes/admin/doctor-reinstate.tsx", admin, `/admin/doctors/${doctor.id}/reinstate`, words("note"));
  await form("routes/admin/user.tsx", admin, `/admin/users/${doctor.id}`, { intent: "disable", ...words("reason") });

  const hospital = { category: "Clinic", city: "Vijayawada", state: "Andhra Pradesh", pinCode: "520010" };
  const typed = () => ({ ...hospital, ...words("name", "address", "area", "workingHours", "about"), phone: phone(), email: mail() });
  const helped = await makeDoctor(server.db, { slots: ["10:00", "11:00"].map((time) => ({ date: dayFromNow(5), time })) });
  const asked = await makeVisit(server.db, { patient: await makePatient(server.db), doctor: helped }, { date: dayFromNow(5) });
  for (const [page, more] of [
    ["move", { to: `${dayFromNow(5)} 11:00` }],
    ["cancel", { reason: "unwell" }],
  ] as const)
    await form(`routes/admin/visit-${page}.tsx`, admin, `/admin/appointments/${asked}/${page}`, {
      askedBy: "doctor",
      ...more,
      ...words("why"),
    });
  const announced = () => ({
    ...{ audience: "patients", ends: dayFromNow(2) },
    ...words("title_en", "message_en", "title_te", "message_te", "title_hi", "message_hi"),
  });
  const draft = await form("routes/admin/announcement-new.tsx", admin, "/admin/announcements/new", announced());
  await form("routes/admin/announcement-edit.tsx", admin, `${draft.location}/edit`, announced());

  const { location } = await form("routes/admin/hospital-new.tsx", admin, "/admin/hospitals/new", typed());
  const shown = valuesOf((await admin.get(`${location}/edit`)).text);
  expect((await form("routes/admin/hospital-edit.tsx", admin, `${location}/edit`, { ...shown, ...typed() })).status).toBe(303);
  const solo = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
  const own = { ...typed(), ...words("receptionist"), email: mail() };
  expect((await form("routes/doctor/own-clinic.tsx", solo, "/doctor/clinic", own)).status).toBe(303);
  const unlisted = { ...typed(), fee: "500", slotMinutes: "30", patientsPerSlot: "1" };
  expect((await form("routes/doctor/practices/add-unlisted.tsx", solo, "/doctor/practices/add/unlisted", unlisted)).status).toBe(303);
  const entered = await makeHospital(server.db, { status: "pending" });
  await form("routes/admin/hospital-refuse.tsx", admin, `/admin/hospitals/${entered.id}/refuse`, words("reason"));
  const email = mail();
  await form("routes/admin/hospital.tsx", admin, location!, { intent: "invite", email, ...words("name") });
  await expect.poll(async () => (await server.outbox(email))[0]?.body ?? "", { timeout: 15_000 }).toContain("/invitation/");
  const link = /\/invitation\/([\w-]+)/.exec((await server.outbox(email))[0]!.body)!;
  const join = { intent: "make", ...words("name"), phone: phone(), password: `${word()}Long` };
  expect((await form("routes/public/invitation.tsx", new Browser(server.url), link[0], join)).status).toBe(303);

  const clinic = location!.split("/").at(-1)!;
  const owner = await makeMember(server.db, clinic, "owner");
  const [{ email: address }] = await server.sql<[{ email: string }]>`select email from users where id = ${owner.userId}`;
  const asOwner = await loginAs(server, { role: "staff", email: address });
  await form("routes/clinic/doctors.tsx", asOwner, `/clinic/${clinic}/doctors`, { intent: "claim-by-email", email: mail() });
  const queueDoctor = await makeDoctor(server.db);
  await server.sql`update doctors set hospital_id = ${clinic} where id = ${queueDoctor.id}`;
  await addPlaceDoctor(server.db, clinic, queueDoctor.id);
  const token = { intent: "add", sessionId: await makeSession(server.db, queueDoctor.id), phone: phone(), formKey: word() };
  await asOwner.post(`/clinic/${clinic}/screen`, { intent: "replace", kind: "arrive" });
  await asOwner.post(`/clinic/${clinic}/screen`, { intent: "allow-walk-ins" });
  const counter = /\/arrive\/[\w-]{20}/.exec((await asOwner.get(`/clinic/${clinic}/screen/poster`)).text)![0];
  const scan = { intent: "take", sessionId: token.sessionId };
  const asPatient = await loginAs(server, { role: "patient", phone: visitor.phone });
  expect((await form("routes/public/arrive.tsx", asPatient, counter, { ...scan, ...words("who", "name", "formKey") })).status).toBe(303);
  expect((await form("routes/queue/queue-forms.server.ts", asOwner, "/desk/queue", { ...token, ...words("who", "name") })).status).toBe(
    303,
  );
  // A time and a list of numbers: a word is refused, and must not be stored either.
  const [expected, closing] = [words("at"), words("unseen")];
  note("routes/queue/queue-forms.server.ts", { ...expected, ...closing });
  expect((await asOwner.post("/desk/queue", { intent: "expect", sessionId: token.sessionId, ...expected })).status).toBe(400);
  expect((await asOwner.post(`/desk/queue/${token.sessionId}/close`, closing)).status).toBe(409);
  const free = { date: dayFromNow(4), time: "09:30" };
  await addSlots(server.db, queueDoctor.id, [free]);
  const caller = {
    intent: "book",
    doctorId: queueDoctor.id,
    at: `${free.date} ${free.time}`,
    age: "40",
    gender: "female",
    idempotencyKey: "caller-canary-1",
  };
  expect(
    (await form("routes/agenda/book-for-caller.tsx", asOwner, "/desk/book", { ...caller, phone: phone(), ...words("name") })).status,
  ).toBe(303);
  await form("routes/clinic/web.tsx", asOwner, `/clinic/${clinic}/web`, { intent: "name", slug: `clinic-${word()}` });
  const hookFields = () => ({ url: `https://example.com/${word()}`, label: word(), subjects: "review" });
  const hook = await form("routes/clinic/webhooks/add.tsx", asOwner, `/clinic/${clinic}/webhooks/add`, hookFields());
  const hookId = /webhooks\/([0-9a-f-]{36})/.exec(hook.location!)![1];
  await form("routes/clinic/webhooks/edit.tsx", asOwner, `/clinic/${clinic}/webhooks/${hookId}/edit`, hookFields());
  await form("routes/clinic/web.tsx", asOwner, `/clinic/${clinic}/web`, { intent: "origins", origins: `https://${word()}.example` });
  await importRegister(asOwner, clinic);
  // One invitation is accepted, the other one stays open.
  const invited = [mail(), mail()];
  for (const email of invited)
    await form("routes/clinic/invite.tsx", asOwner, `/clinic/${clinic}/invite`, { email, role: "reception", ...words("name") });
  await expect.poll(async () => (await server.outbox(invited[0]))[0]?.body ?? "", { timeout: 15_000 }).toContain("/join/");
  const way = /\/join\/([\w-]+)/.exec((await server.outbox(invited[0]))[0]!.body)!;
  const newMember = { intent: "make", ...words("name"), phone: phone(), password: `${word()}Long` };
  expect((await form("routes/public/join.tsx", new Browser(server.url), way[0], newMember)).status).toBe(303);
});

/** Imports a file of patients and one of past appointments, whose cells are unique words. */
async function importRegister(asOwner: Browser, clinic: string): Promise<void> {
  const typed = { ...words("name", "number", "address", "note", "doctor"), phone: phone() };
  for (const [field, value] of Object.entries(typed))
    canaries.push({ unit: "imported file", field, value, secret: field === "address" || field === "note" });
  const { name, number, address, doctor } = typed;
  await importFile(asOwner, clinic, "patients", {
    columns: ["name", "phone", "number", "address", "note"],
    cells: [name, typed.phone, number, address, typed.note],
  });
  await importFile(asOwner, clinic, "appointments", { columns: ["date", "number", "doctor"], cells: ["03/04/2024", number, doctor] });
}

async function importFile(asOwner: Browser, clinic: string, kind: ImportKind, { columns, cells }: Record<"columns" | "cells", string[]>) {
  const file = new FormData();
  file.append("kind", kind);
  file.append("file", asFile(`${columns.join()}\n${cells.join()}\n`, "a.csv", "text/csv"));
  const path = (await asOwner.postFiles(`/clinic/${clinic}/import`, file)).location!;
  const until = (state: string) =>
    expect.poll(async () => (await server.sql`select state from imports where kind = ${kind}`)[0]?.state, { timeout: 15_000 }).toBe(state);
  const chosen = Object.fromEntries(columns.map((column, i) => [`f${i}`, column]));
  expect((await asOwner.post(path, { intent: "columns", order: "dmy", ...chosen })).location).toBe(path);
  await until("checked");
  // The doctor is not in Nadi: the name stays.
  if (kind === "appointments") expect((await asOwner.post(path, { intent: "decide-all", all: "other" })).location).toContain(path);
  expect((await asOwner.post(path, { intent: "import" })).location).toBe(path);
  await until("done");
}

it("types into the forms of logins, passwords and passkeys", async () => {
  const made = await makeAdmin(server.db);
  const before = `${word()}Before`;
  secret("password", before);
  await server.sql`update users set password_hash = ${await hashPassword(before)} where id = ${made.userId}`;
  const admin = await loginAs(server, made);
  const newPassword = `${word()}After`;
  const changed = await form("routes/account/own-password.server.ts", admin, "/account/security/password", {
    currentPassword: before,
    newPassword,
    confirmPassword: newPassword,
  });
  expect(changed.status).toBe(303);
  const again = await loginAs(server, made);
  const authenticator = new Authenticator(server.url);
  const optionsOf = async (who: Browser, purpose: string) =>
    (JSON.parse((await who.post("/passkey-options", { purpose })).text) as { options: { challenge: string; user: { id: string } } })
      .options;
  const credential = authenticator.create(await optionsOf(again, "add"));
  expect(
    (await form("routes/account/passkey-add.tsx", again, "/account/security/passkeys/add", { ...words("name"), credential })).status,
  ).toBe(303);
  const passkey = await idOf("passkeys", "user_id", made.userId);
  await form("routes/account/passkey-rename.tsx", again, `/account/security/passkeys/${passkey}/rename`, words("name"));
  const later = await loginAs(server, made, { proven: false });
  expect((await later.post("/confirm-identity?next=/admin", { intent: "send" })).status).toBe(303);
  await form("routes/auth/confirm-identity.tsx", later, "/confirm-identity?next=/admin", {
    intent: "verify",
    otp: await codeOf(made.phone),
  });
  const owner = mail();
  await server.sql`update users set email = ${owner} where id = ${made.userId}`;
  const visitor = new Browser(server.url);
  const assertion = authenticator.get(await optionsOf(visitor, "login"));
  expect(
    (await form("routes/auth/passkey-login.tsx", visitor, "/dual-doctor/passkey", { email: owner, credential: assertion })).status,
  ).toBe(303);

  const doctor = await makeDoctor(server.db);
  const [email, mobile] = [mail(), phone()];
  await server.sql`update users set email = ${email}, phone = ${`+91${mobile}`} where id = ${doctor.id}`;
  await form("routes/auth/forgot-password.tsx", new Browser(server.url), "/forgot-password", { email, mobile });
  await expect.poll(async () => (await server.outbox(email))[0]?.body ?? "", { timeout: 15_000 }).toContain("/forgot-password/");
  const link = /\/forgot-password\/([\w-]+)/.exec((await server.outbox(email))[0]!.body)!;
  const fresh = `${word()}Fresh`;
  const reset = { intent: "reset", otp: await codeOf(`+91${mobile}`), newPassword: fresh, confirmPassword: fresh };
  expect((await form("routes/auth/reset-password.tsx", new Browser(server.url), link[0], reset)).status).toBe(303);
  // A refused login: its input is as secret as that of an accepted one.
  const wrong = `${word()}Wrong`;
  await new Browser(server.url).post("/dual-doctor", { intent: "send-otp", mode: "login", email, mobile, password: wrong });
  secret("wrong password", wrong);
  await new Browser(server.url).post("/dual-patient", { intent: "send", phoneNumber: secretName("a phone that is none") });
});

it("types into the calls of apps", async () => {
  const mobile = phone();
  const asked = await call("sendPatientOtp", null, { body: { phoneNumber: mobile } });
  const patient = await call("verifyPatientOtp", null, {
    body: { phoneNumber: mobile, otp: await codeOf(`+91${mobile}`), challengeId: asked.challengeId },
  });
  secret("token", patient.token);
  const id = patient.patient.id;
  const slots = [{ date: dayFromNow(5), time: "10:00" as const }];
  const doctor = await makeDoctor(server.db, { slots });
  await call("saveOwnPatient", patient.token, { body: words(...FIELDS.get("api saveOwnPatient")!) });
  await call("listHospitalNames", null, { query: words("q") });
  const originalname = `${word()}.png`;
  await call("bookAppointmentCall", patient.token, {
    body: {
      ...{ patient: id, doctor: doctor.id, date: slots[0]!.date, time: "10:00 AM", ...words("reason") },
      patientInfo: { ...words("name", "note", "medical_history_summary"), phone: phone(), age: "41", gender: "female" },
      medicalRecordsMeta: [{ originalname, record_type: "other", ...words("description") }],
    },
    files: { medicalRecords: [[new Blob([new Uint8Array(await png())]), originalname]] },
    headers: { "idempotency-key": `canary-${word()}` },
  });
  await call("joinWaitlistCall", patient.token, {
    body: { doctorId: doctor.id, date: dayFromNow(6), days: 0, age: 41, gender: "female", ...words("name") },
  });
  await call("askAssistant", patient.token, {
    body: { patientId: id, message: `about ${word()}` },
    headers: { "idempotency-key": `canary-${word()}` },
  });
  await call("askByVoice", patient.token, { body: { patientId: id }, files: { audio: [[recording(), "voice.webm"]] } } as never);

  const [email, number, password] = [mail(), phone(), `${word()}Long`];
  const sent = await call("sendDoctorOtp", null, { body: { phone: number, email, isRegistration: true } });
  const proven = await call("verifyDoctorOtp", null, {
    body: { phone: number, email, otp: await codeOf(`+91${number}`), challengeId: sent.challengeId },
  });
  secret("verification token", proven.verificationToken);
  const { token, doctorId } = await call("doctorAuth", null, {
    body: { email, password, mobileNumber: number, verificationToken: proven.verificationToken },
  });
  secret("token", token);
  const pictures = await allPictures();
  await call("verifyDoctor", token, {
    query: { doctorId: doctorId! },
    body: {
      ...words("hospital_hospitalName", "hospital_name", "hospital_hospitalAddress", "hospital_address"),
      ...{ hospital_contactNumber: phone(), hospital_contact: phone(), hospital_isManualEntry: "true" },
      ...{
        gender: "Male",
        dateOfBirth: "1985-03-14",
        yearOfRegistration: "2010",
        experienceYears: "12",
        consultationFee: "500",
        category: "General",
      },
      ...words("fullName", "medicalCouncilRegistrationNumber", "medicalCouncilName", "primarySpecialization", "about", "city", "state"),
      ...{ additionalSpecializations: JSON.stringify([word()]), languages: JSON.stringify([word()]), location: words("city", "state") },
      ...{ aadhaarNumber: aadhaar(), panNumber: pan(), qualifications: [{ ...words("degree", "universityCollege"), year: "2009" }] },
      ...words("bank_bankName", "bank_accountHolderName", "bank_bankBranch"),
      ...{ bank_accountNumber: account(), bank_ifscCode: ifsc(), proof: { ...words("challengeId"), code: "271828" } },
    },
    files: pictures as never,
    headers: { "idempotency-key": `canary-${word()}` },
  } as Args<"verifyDoctor">);

  const known = await makeCase(server.db, { key: DEMO_KEY, status: "verified", hospital: await makeHospital(server.db) });
  await server.sql`update doctors set gender = 'female', date_of_birth = '1985-04-12', experience_years = 9, about = 'Lungs.' where id = ${known.id}`;
  const own = await tokenFor(server, known.id);
  const bank = () => ({ ...words("bankName", "bankBranch", "accountHolderName"), accountNumber: account(), ifscCode: ifsc() });
  for (const isList of [false, true]) {
    const { challengeId } = await call("sendProofOtp", own, {});
    const proof = { challengeId, code: await codeOf(known.phone) };
    const hospital = { ...words("hospitalName", "hospitalAddress"), contactNumber: phone() };
    const account = bank();
    await server.sql`update sessions set proven_at = null where user_id = ${known.id}`;
    await call("saveOwnProfile", own, {
      body: {
        ...words("fullName", "primarySpecialization", "additionalSpecializations", "about"),
        ...scriptNames(),
        ...{ languages: [word()], hospitalInfo: isList ? [hospital] : hospital, bankingInfo: isList ? [account] : account, proof },
      },
    });
    server.clock.advance(10 * 60_000);
  }
  const proof = async () => {
    const { challengeId } = await call("sendProofOtp", own, {});
    return { challengeId, code: await codeOf(known.phone) };
  };
  await call("createImport", own, {
    body: { kind: "patients", proof: await proof() },
    files: { file: [[new Blob([`Name,Mobile\n${secretName("name in a file")},${phone()}\n`]), "a.csv"]] },
  } as never);
  server.clock.advance(10 * 60_000);
  await call("createExport", own, { body: { kind: "patients", format: "csv", proof: await proof() } } as never);
  server.clock.advance(10 * 60_000);
  const { challengeId, code: otp } = await proof();
  await call("verifyProofOtp", own, { body: { challengeId, otp } });
  server.clock.advance(10 * 60_000);
  await call("askAsDoctor", own, {
    body: { doctorId: known.id, message: `and ${word()}` },
    headers: { "idempotency-key": `canary-${word()}` },
  });

  const house = await makeHospital(server.db);
  const [staff, chief] = [await makeReviewer(server.db, house), await makeAdmin(server.db)];
  const [one, two] = [await tokenFor(server, staff.userId), await tokenFor(server, chief.userId)];
  const sentBack = async (of: Awaited<ReturnType<typeof makeCase>>) => ({
    params: { id: of.id },
    body: {
      ...{ intent: "send-back" as const, seen: of.seen, ...words("note") },
      documents: of.documents.map((d) => ({ id: d.id, version: d.version, decision: "ask-again" as const, ...words("reason") })),
    },
  });
  await call("listCases", one, { query: words("q") });
  await call("listAllCases", two, { query: words("q") });
  await call("decideCase", one, await sentBack(await makeCase(server.db, { key: DEMO_KEY, hospital: house })));
  const approved = await makeCase(server.db, {
    ...{ key: DEMO_KEY, hospital: house, status: "pending admin approval" as const, decided: "matches" as const },
    ...{ approvedBy: staff.userId, openedBy: [chief.userId] },
  });
  await call("decideAnyCase", two, await sentBack(approved));
});

it("has typed a word into every text field of every form and call", async () => {
  const tried = new Set(canaries.map(({ unit, field }) => `${unit} ${field}`));
  const missing = [...FIELDS].flatMap(([unit, fields]) => [...fields].map((field) => `${unit} ${field}`)).filter((one) => !tried.has(one));
  expect(missing).toEqual([]);
  expect(await actionsWithoutForm()).toEqual([
    "routes/account/announcement-dismiss.ts",
    "routes/account/session.ts",
    "routes/api/call.ts",
    "routes/assistant/delete-chats.tsx",
    "routes/auth/doctor-verify.tsx",
    "routes/auth/logout.tsx",
    "routes/public/message-webhook.ts",
    "routes/public/not-found.tsx",
    "routes/public/payment-return.ts",
    "routes/public/webhook.ts",
  ]);
});

it("stores in clear only the columns on the list, and none of the secrets", async () => {
  // Waits for the jobs that were queued meanwhile.
  await expect
    .poll(
      async () =>
        (
          await server.sql`select from pgboss.job where state in ('created', 'active', 'retry') and start_after < now() and name not like '\\_\\_%'`
        ).length,
      { timeout: 30_000 },
    )
    .toBe(0);
  const tables = await server.sql<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`;
  expect(tables.length).toBeGreaterThan(40);
  const columns = new Map<string, string>();
  for (const { schema, name } of tables) {
    const rows = await server.sql<
      { row: Record<string, unknown> }[]
    >`select to_jsonb(t) as row from ${server.sql(schema)}.${server.sql(name)} t`;
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const place = `${schema === "public" ? "" : `${schema}.`}${name}.${column}`;
        columns.set(place, `${columns.get(place) ?? ""}\n${typeof value === "string" ? value : JSON.stringify(value)}`);
      }
  }
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [place, text] of columns) {
    const lower = text.toLowerCase();
    for (const { unit, field, value, secret } of canaries) {
      if (/^\d{6}$/.test(value) || !isIn(value, text, lower)) continue;
      used.add(place);
      if (secret || !IN_CLEAR[place]) problems.push(`${place} contains ${unit} ${field}`);
    }
    for (const code of codes) if (!CODES_IN_CLEAR.has(place) && hasCode(code, text)) problems.push(`${place} contains a code`);
  }
  expect([...new Set(problems)].sort()).toEqual([]);
  // The list has no unused entry, which also proves that the search works.
  expect(Object.keys(IN_CLEAR).filter((place) => !used.has(place))).toEqual([]);
});

it("sends no secret to an open page", async () => {
  // Everything that the sockets of any page get, from the channels of the relay (app/realtime/relay.server.ts).
  await expect.poll(async () => (await server.sql`select from live_events limit 1`).length, { timeout: 30_000 }).toBe(0);
  await expect.poll(() => events.length, { timeout: 30_000 }).toBeGreaterThan(20);
  const text = events.join("\n");
  const lower = text.toLowerCase();
  const sent = canaries.filter(({ value, secret }) => secret && !/^\d{6}$/.test(value) && isIn(value, text, lower));
  expect(sent.map(({ unit, field }) => `${unit} ${field}`)).toEqual([]);
  expect(codes.filter((code) => hasCode(code, text))).toEqual([]);
});

it("builds no secret of the server into a script", () => {
  const folder = join(import.meta.dirname, "../../build/client");
  const scripts = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => /\.(js|css|html|json|webmanifest)$/.test(name));
  expect(scripts.length).toBeGreaterThan(50);
  const secrets = [
    DEMO_KEY,
    ...Object.values(JSON.parse(readFileSync(join(server.dataDir, "secrets.json"), "utf8")) as object).map(String),
  ];
  const found = scripts.filter((name) => secrets.some((one) => readFileSync(join(folder, name), "utf8").includes(one)));
  expect(found).toEqual([]);
});

it("writes no secret into files, the backup or the log", () => {
  const backup = join(server.dataDir, "backup.tar");
  const env = /(?:^|\0)DATABASE_URL=([^\0]+)/.exec(readFileSync(`/proc/${server.pid}/environ`, "latin1"))?.[1];
  const taken = spawnSync(process.execPath, ["scripts/backup.ts", backup], {
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DEMO: "1",
      ENCRYPTION_KEY: DEMO_KEY,
      DATA_DIR: server.dataDir,
      DATABASE_URL: env,
    },
  });
  expect([taken.status, taken.stderr]).toEqual([0, ""]);
  const files = (readdirSync(server.dataDir, { recursive: true }) as string[]).filter((name) =>
    statSync(join(server.dataDir, name)).isFile(),
  );
  expect(files.filter((name) => name.startsWith("files/")).length).toBeGreaterThan(10);
  const sources: [string, string][] = [
    ["the log", server.output()],
    ["the output of the backup", taken.stdout],
    ...files.map((name): [string, string] => [name, readFileSync(join(server.dataDir, name), "latin1")]),
  ];
  const problems: string[] = [];
  for (const [name, text] of sources) {
    const lower = text.toLowerCase();
    for (const { unit, field, value } of canaries)
      if (!/^\d{6}$/.test(value) && isIn(value, text, lower)) problems.push(`${name} contains ${unit} ${field}`);
    if (!name.includes("/") && !name.endsWith(".tar"))
      for (const code of codes) if (hasCode(code, text)) problems.push(`${name} contains a code`);
    if (name.startsWith("files/") && !text.startsWith("nadi")) problems.push(`${name} is not encrypted`);
  }
  expect([...new Set(problems)]).toEqual([]);
  expect(server.output().length).toBeGreaterThan(5_000);
  // For `npm run prove -- canaries`, which also searches the files of PostgreSQL.
  if (process.env.CANARY_REPORT)
    writeFileSync(
      process.env.CANARY_REPORT,
      JSON.stringify({
        fields: new Set(canaries.filter(({ field }) => field).map(({ unit, field }) => `${unit} ${field}`)).size,
        typed: canaries.length,
        secrets: canaries
          .filter(({ value, secret }) => secret && !/^\d{6}$/.test(value))
          .map(({ unit, field, value }) => [`${unit} ${field}`.trim(), value]),
        events: events.length,
        files: sources.length,
      }),
    );
});
