/** /patient/data over HTTP: who opened my records, the download and the deletion, and that no table stores undeclared data. */
import { getTableName } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "#app/db/schema/index.ts";
import { allPolicies, type ColumnPolicy } from "#app/db/schema/policy.ts";
import { m } from "#app/paraglide/messages.js";
import { book, bookedId } from "../factories/booking.ts";
import { logInPatient } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser, raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let me: LoggedIn;
let phone: string;
let visit: string;
const NAME = "Secretia Patientova";
const slots = ["10:00", "10:30", "11:00"].map((time) => ({ date: dayFromNow(5), time }));
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  phone = newPhone();
  me = await loginAs(server, { role: "patient", phone });
  const answer = await book(me, doctor.id, slots[0]!, { name: NAME, medicalHistory: "Wolfram" }, [
    asFile(await photoWithPlace(), "scan of lungs.jpg"),
  ]);
  visit = bookedId(answer)!;
  await me.post("/patient/family/add", { name: "Savitri Devi", relation: "mother", gender: "female", age: "64" });
});
afterAll(() => server?.stop());

const download = (who: LoggedIn) =>
  raw(server.url, { path: "/patient/data/download", headers: { host: new URL(server.url).host, cookie: `nadi_session=${who.token}` } });
const jsonOf = (zip: Record<string, Uint8Array>) => JSON.parse(strFromU8(zip["data.json"]!));

describe("who opened my records", () => {
  it("is empty at first, then lists each doctor and each read", async () => {
    expect(plain((await me.get("/patient/data/opened")).text)).toContain("No doctor has opened your records yet");
    const page = await asDoctor.get(`/doctor/patient/${visit}`);
    await asDoctor.get(`/doctor/patient/${visit}`);
    const file = /\/files\/([0-9a-f-]{36})/.exec(page.text)![1]!;
    expect((await asDoctor.get(`/files/${file}`)).status).toBe(200);
    expect((await asDoctor.get(`/doctor/appointments/day/${slots[0]!.date}`)).status).toBe(200);
    await me.get(`/files/${file}`);
    const words = plain((await me.get("/patient/data/opened")).text);
    expect(words).toMatch(
      /Dr\. Asha Rao opened your appointment of \d{1,2} \w{3} \d{4} 2 times, last \d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [AP]M/,
    );
    expect(words).toContain("Dr. Asha Rao opened your document: scan of lungs.jpg");
    expect(words).toMatch(/Dr\. Asha Rao printed the list of \d{1,2} \w{3} \d{4} with your appointment/);
    expect(words.match(/opened your document/g)).toHaveLength(1);
  });
  it("is shown page by page", async () => {
    const other = await loginAs(server, { role: "patient", phone: newPhone() });
    const admin = await makeStaff(server.db, "admin");
    await server.sql`insert into audit_log (at, actor_id, actor_role, action, subject_type, subject_id, person_id)
      select now() - n * interval '1 day', ${admin.userId}, 'admin', 'end-sessions', 'user', ${other.userId}, ${other.userId} from generate_series(1, 60) n`;
    const first = await other.get("/patient/data/opened");
    expect(first.text.match(/An administrator of Nadi opened or changed something/g)).toHaveLength(50);
    const next = /\/patient\/data\/opened\?before=\d+/.exec(first.text)![0];
    expect((await other.get(next)).text.match(/An administrator of Nadi/g)).toHaveLength(10);
    expect((await other.get("/patient/data/opened?before=nonsense")).status).toBe(200);
  });
  it("is shown to the patient only", async () => {
    const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
    for (const path of ["/patient/data/opened", "/patient/data/opened.data"]) {
      const answer = await stranger.get(path);
      expect(answer.text).not.toContain("Asha Rao");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("the download", () => {
  it("contains all data of the patient with the files, and is not cached", async () => {
    const answer = await download(me);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/zip",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(String(answer.headers["content-disposition"])).toMatch(/^attachment; filename="nadi-my-data-\d{4}-\d\d-\d\d\.zip"$/);
    const zip = unzipSync(answer.body);
    const data = jsonOf(zip);
    expect(data.profile).toMatchObject({ id: me.userId, phone });
    expect(data.settings.notifications).toMatchObject({ email: true });
    expect(data.family).toMatchObject([{ name: "Savitri Devi", relation: "mother" }]);
    expect(data.appointments).toMatchObject([{ id: visit, patientName: NAME, medicalHistory: "Wolfram", doctor: "Dr. Asha Rao" }]);
    expect(data.records).toMatchObject([{ appointmentId: visit, description: "scan of lungs.jpg" }]);
    expect(data.whoOpenedMyRecords.map((row: { by: string }) => row.by)).toContain("Dr. Asha Rao");
    expect(data.sessions).toHaveLength(1);
    expect(Object.keys(zip).sort()).toEqual(["data.json", "fhir-r4.json", data.files[0].path].sort());
    expect(zip[data.files[0].path]!.length).toBe(data.files[0].bytes);
    expect([...zip[data.files[0].path]!.slice(0, 2)]).toEqual([0xff, 0xd8]);
    expect(answer.text).not.toContain(me.token);
    expect(await server.sql`select from audit_log where action = 'download-own-data' and person_id = ${me.userId}`).toHaveLength(1);
  });
  it("contains no data of other users", async () => {
    const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
    const zip = unzipSync((await download(stranger)).body);
    expect(Object.keys(zip)).toEqual(["data.json", "fhir-r4.json"]);
    const text = strFromU8(zip["data.json"]!) + strFromU8(zip["fhir-r4.json"]!);
    for (const secret of [NAME, "Savitri", "Wolfram", me.userId]) expect(text).not.toContain(secret);
    expect(jsonOf(zip)).toMatchObject({ appointments: [], family: [], files: [] });
    const visitor = await new Browser(server.url).get("/patient/data/download");
    expect([visitor.status, visitor.location]).toEqual([303, "/dual-patient?redirectTo=%2Fpatient%2Fdata%2Fdownload"]);
    expect((await asDoctor.get("/patient/data/download")).status).toBe(303);
  });
  it("is limited to a few an hour, with a message", async () => {
    const eager = await loginAs(server, { role: "patient", phone: newPhone() });
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await download(eager));
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200, 200, 303]);
    const refused = await eager.get("/patient/data/download");
    expect(plain((await eager.follow(refused)).text)).toContain("You have downloaded your data several times. Try again in an hour.");
  });
  it("reads many pages of rows", async () => {
    const old = await loginAs(server, { role: "patient", phone: newPhone() });
    await server.sql`insert into notifications (user_id, kind, type, params) select ${old.userId}, 'appointment-accepted', 'success', '{"doctor":"D"}' from generate_series(1, 501)`;
    const data = jsonOf(unzipSync((await download(old)).body));
    expect(data.notifications).toHaveLength(501);
    expect(new Set(data.notifications.map((row: { id: string }) => row.id)).size).toBe(501);
  });
});

describe("deleting the account", () => {
  it("explains what is deleted and what remains, and requires a confirmation", async () => {
    const words = plain((await me.get("/patient/data/delete")).text);
    expect(words).toContain("What we delete right away");
    expect(words).toContain("What the law requires us to keep");
    expect(words).toContain("We will cancel your 1 upcoming appointment and notify the doctor.");
    const refused = await me.post("/patient/data/delete", { word: "no" });
    expect([refused.status, errorsOf(refused).word]).toEqual([400, "Type the word DELETE, or go back."]);
    expect((await me.get("/patient/profile")).status).toBe(200);
  });
  it.each([
    ["te", "తొలగించు"],
    ["hi", "हटाएं"],
    ["hi", "delete"],
  ])("accepts the word of the reader's language (%s): %s", async (language, word) => {
    const reader = await loginAs(server, { role: "patient", phone: newPhone() });
    await reader.post("/language", { language });
    expect((await reader.post("/patient/data/delete", { word: "नहीं" })).status).toBe(400);
    expect((await reader.post("/patient/data/delete", { word })).location).toBe("/choose-role");
  });
  it("ends everything, and the phone can register again", async () => {
    const second = await logInPatient(server, phone);
    const [{ file_id: file }] = (await server.sql`select file_id from medical_records where appointment_id = ${visit}`) as unknown as [
      { file_id: string },
    ];
    const [{ storage_key: key }] = (await server.sql`select storage_key from files where id = ${file}`) as unknown as [
      { storage_key: string },
    ];
    // Notifications to doctors about it are in their language, not in the patient's.
    await me.post("/language", { language: "hi" });
    const answers = await Promise.all([1, 2, 3].map(() => me.post("/patient/data/delete", { word: "delete " })));
    expect(answers[0]!.location).toBe("/choose-role");
    expect(plain((await me.follow(answers[0]!)).text)).toContain(m.data_deleted({}, { locale: "hi" }));
    for (const browser of [me, second]) expect((await browser.get("/patient/profile")).status).toBe(303);
    expect((await asDoctor.get(`/files/${file}`)).status).toBe(404);
    const { existsSync } = await import("node:fs");
    expect(existsSync(`${server.dataDir}/files/${key}`)).toBe(false);
    const page = await asDoctor.get(`/doctor/patient/${visit}`);
    expect(page.status).toBe(200);
    expect(plain(page.text)).toContain("Deleted account");
    for (const path of [`/doctor/patient/${visit}`, "/doctor/notifications", "/doctor/appointments?tab=cancelled"]) {
      const text = (await asDoctor.get(path)).text;
      for (const secret of [NAME, "Wolfram", phone.slice(3)]) expect(text).not.toContain(secret);
    }
    expect(plain((await asDoctor.get("/doctor/notifications")).text)).toContain("Deleted account");
    await asDoctor.post("/language", { language: "te" });
    for (const path of [`/doctor/patient/${visit}`, "/doctor/notifications"])
      expect(plain((await asDoctor.get(path)).text), path).toContain(m.data_deleted_name({}, { locale: "te" }));
    server.clock.advance(60_000);
    const again = await logInPatient(server, phone);
    expect(plain((await again.get("/patient/profile")).text)).toContain("Add your name");
    expect((await again.get("/patient/calendar")).text).not.toContain(NAME);
  });
});

/**
 * Written by hand, because a test that reads the policies of the tables (db/schema/policy.ts) finds no wrong one. Every table that refers to a
 * user, and how the download and the deletion handle it.
 */
const OF_A_PATIENT: Record<string, { exported: string | null; deleted: "removed" | "emptied" | "stays" }> = {
  patients: { exported: "profile", deleted: "emptied" },
  consents: { exported: "consents", deleted: "stays" },
  sessions: { exported: "sessions", deleted: "removed" },
  user_settings: { exported: "settings", deleted: "removed" },
  notification_emails: { exported: "emailAddress", deleted: "removed" },
  family_members: { exported: "family", deleted: "removed" },
  appointments: { exported: "appointments", deleted: "emptied" },
  booking_drafts: { exported: "notBookedYet", deleted: "removed" },
  clinic_patients: { exported: "clinicRegisters", deleted: "removed" },
  own_records: { exported: "ownDocuments", deleted: "removed" },
  record_shares: { exported: "recordLinks", deleted: "removed" },
  record_permissions: { exported: "recordPermissions", deleted: "removed" },
  files: { exported: "files", deleted: "removed" },
  notifications: { exported: "notifications", deleted: "removed" },
  // Their text is in the notifications.
  announcement_recipients: { exported: null, deleted: "removed" },
  favourites: { exported: "favourites", deleted: "removed" },
  conversations: { exported: "chats", deleted: "removed" },
  assistant_choices: { exported: "assistant", deleted: "removed" },
  reviews: { exported: "reviews", deleted: "emptied" },
  review_reports: { exported: "reviewReports", deleted: "removed" },
  support_threads: { exported: "supportQuestions", deleted: "removed" },
  support_messages: { exported: "supportMessages", deleted: "removed" },
  message_threads: { exported: "messageConversations", deleted: "removed" },
  outbound_messages: { exported: "messagesToYou", deleted: "removed" },
  waitlist_entries: { exported: "waitlist", deleted: "removed" },
  wallet_entries: { exported: "points", deleted: "stays" },
  wallets: { exported: "points", deleted: "stays" },
  // Encrypted copies of responses to the user, for a day.
  api_replays: { exported: null, deleted: "removed" },
  wallet_codes: { exported: "discountCodes", deleted: "stays" },
  // The address is on the page of the settings.
  calendar_feeds: { exported: null, deleted: "removed" },
  push_subscriptions: { exported: "pushDevices", deleted: "removed" },
  queue_entries: { exported: "tokens", deleted: "emptied" },
  encounters: { exported: "visits", deleted: "stays" },
};
/** They refer to doctors and staff. */
const OF_OTHERS = [
  "doctors",
  "hospitals",
  "doctor_documents",
  "profile_changes",
  "verification_events",
  "hospital_reviewers",
  "case_assignments",
  "announcements",
  "imports",
  "clinic_exports",
  "memberships",
  "reviewer_invitations",
  "passkeys",
  "password_resets",
];

/** Which columns of patients' tables the download shows, and which ones the deletion empties in rows that stay. */
const COLUMNS: Record<string, { shown: string; hidden: string; emptied?: string }> = {
  users: {
    shown: "createdAt id language phone",
    hidden: "bankLockedUntil email isDemo passwordHash passwordWeakSince role staffName status updatedAt",
    emptied: "email phone",
  },
  patients: {
    shown: "accuracy dateOfBirth gender latitude longitude name noAllergiesOn photoFileId placeSource",
    hidden: "cityId createdAt id unclaimedSince updatedAt",
    emptied: "accuracy cityId dateOfBirth gender latitude longitude name noAllergiesOn photoFileId placeSource unclaimedSince",
  },
  consents: { shown: "at channel id language notice", hidden: "userId" },
  sessions: { shown: "createdAt expiresAt ip lastSeenAt userAgent", hidden: "city id kind provenAt provenBy tokenHash unsentForm userId" },
  calendar_feeds: { shown: "", hidden: "createdAt key keyHash userId" },
  push_subscriptions: {
    shown: "address createdAt id lastSentAt refusedSince service userAgent",
    hidden: "endpointHash sessionHash userId",
  },
  user_settings: { shown: "chosen", hidden: "updatedAt userId" },
  notification_emails: { shown: "email pendingEmail updatedAt", hidden: "tokenExpiresAt tokenHash userId" },
  family_members: {
    shown: "age ageOn bloodGroup createdAt dateOfBirth gender id name noAllergiesOn patientId relation updatedAt",
    hidden: "",
  },
  appointments: {
    shown:
      "acceptedAt bloodGroup cancelNote cancelReason cancelledAt cancelledAtDesk cancelledBy completedAt createdAt date expectedTime fee forCaller id medicalHistory movedAt noShowAt patientAge patientBirthDate patientGender patientName patientNote patientPhone paymentMethod paymentReference prepayUntil reason refundHours refundOwed smsUpdates status time token",
    hidden: "discount doctorId hospitalId idempotencyKey minutes patientId practiceId queueSessionId updatedAt",
    emptied: "bloodGroup cancelNote medicalHistory patientBirthDate patientName patientNote patientPhone reason",
  },
  clinic_patients: {
    shown: "address birthAbout birthDate bloodGroup createdAt gender id name note number phone",
    hidden: "doctorId hospitalId importId nameKey patientId updatedAt",
  },
  past_appointments: { shown: "createdAt date doctorName fee id paid status time", hidden: "clinicPatientId doctorId importId" },
  import_rows: {
    shown: "",
    hidden:
      "accountId appointmentId clinicPatientId content decidedDoctorId decision doctorName group importId likeId likeRow merged number outcome pastAppointmentId reason",
  },
  payments: {
    shown: "amount appointmentId bankReference id method platformFee platformFeeRefunded receivedAt reference refunded",
    hidden: "corrected doctorId idempotencyKey merchantId orderId providerPaymentId state unseatable",
  },
  payment_orders: {
    shown: "amount appointmentId createdAt expiresAt id platformFee provider state",
    hidden: "attemptFailedAt checkedAt confirmingAt doctorId merchantId platformFeeTerms providerOrderId transferAccount",
  },
  payment_events: { shown: "", hidden: "appliedAt dataKey eventId fact orderId provider raw receivedAt" },
  provider_refunds: {
    shown: "bankReference settledAt state",
    hidden: "attempt nextTryAt provider providerRefundId refundId requestedAt sentAt tries",
  },
  refunds: { shown: "amount id method paymentId platformFee reason refundedAt", hidden: "idempotencyKey" },
  platform_fee_documents: {
    shown: "amount financialYear gstin id invoicer issuedAt kind number paymentId refundId tax taxable",
    hidden: "",
  },
  receipts: { shown: "financialYear merchantName number", hidden: "issuedAt merchantAddress merchantId paymentId" },
  own_records: { shown: "createdAt date description fileId fromPlace id orderId personName recordType", hidden: "patientId personKey" },
  record_shares: {
    shown: "byDoctor createdAt documentId endedAt expiresAt id lastOpenedAt medicalRecordId most opened ownRecordId showsName",
    hidden: "patientId personKey secretHash",
  },
  record_permissions: { shown: "allowedAt endedAt id personName until", hidden: "doctorId patientId personKey" },
  medical_records: { shown: "appointmentId createdAt description fileId id recordType", hidden: "" },
  booking_drafts: { shown: "doctorId records updatedAt values", hidden: "fileIds patientId" },
  files: { shown: "byteSize createdAt id originalName purpose status", hidden: "dataKey height mediaType ownerId sealed storageKey width" },
  notifications: { shown: "createdAt deletedAt id kind params readAt", hidden: "targetPath type userId" },
  announcement_recipients: { shown: "", hidden: "announcementId dismissedAt userId" },
  favourites: { shown: "createdAt id", hidden: "doctorId hospitalId patientId" },
  conversations: { shown: "title", hidden: "createdAt id ownerId updatedAt voice" },
  chat_messages: { shown: "by content conversationId createdAt fileId role seq state", hidden: "doctorIds id requestKey sources voice" },
  assistant_choices: { shown: "consentedAt helperOnly", hidden: "userId" },
  reviews: {
    shown: "appointmentId createdAt editedAt hiddenReason id rating reply status words",
    hidden: "decidedAt decidedBy doctorId hospitalId isDemo patientId repliedAt replyHiddenReason",
    emptied: "hiddenReason rating repliedAt reply replyHiddenReason words",
  },
  review_reports: { shown: "createdAt id note reason reviewId", hidden: "decidedAt reporterId" },
  support_threads: { shown: "appointmentId createdAt id lastMessageAt reference state topic", hidden: "assigneeId userId waitingSince" },
  support_messages: { shown: "bySupport content createdAt id threadId", hidden: "authorId formKey" },
  message_threads: {
    shown: "channel createdAt id language lastInAt phone stoppedAt",
    hidden: "answerer doctorId hospitalId memberId patientId state waitingSince",
  },
  inbound_messages: { shown: "content id kind sentAt threadId", hidden: "answeredAt hospitalId pressed provider providerId receivedAt" },
  outbound_messages: {
    shown: "content createdAt id state threadId",
    hidden: "formKey hospitalId memberId providerId segments sentAt template",
  },
  waitlist_entries: {
    shown:
      "appointmentId createdAt endReason endedAt fromDate id parts patientAge patientBirthDate patientGender patientName patientPhone sms state untilDate",
    hidden: "doctorId lapses memberId number patientId practiceId updatedAt",
  },
  waitlist_offers: {
    shown: "createdAt date decidedAt endsAt entryId freedDate freedTime id state time",
    hidden: "chain doctorId notifiedAt practiceId sendAt",
  },
  wallet_entries: { shown: "about createdAt id kind points", hidden: "patientId round" },
  wallets: { shown: "", hidden: "balance patientId" },
  encounters: {
    shown: "createdAt date followUpOn followUpReminded id patient",
    hidden: "appointmentId doctorId patientId personKey practiceId queueEntryId updatedAt",
  },
  visit_documents: {
    shown: "code content encounterId endedAt id keyId kind sha256 signature signedAt state",
    hidden: "createdAt dataKey draft replaces updatedAt version",
    emptied: "draft",
  },
  visit_notes: { shown: "content", hidden: "dataKey documentId signedAt" },
  queue_entries: {
    shown:
      "age appointmentId arrivedAt birthDate calledAt createdAt doneAt dueAt estimateHighAt estimateLowAt gender id kind leftAt name noShowAt number phone priority skippedAt smsStopped state travelMinutes withDoctorAt",
    hidden: "callNumber code formKey lateSmsAt patientId personKey returnedAtCall sessionId soonSmsAt updatedAt",
    emptied: "age birthDate gender name personKey phone",
  },
  wallet_codes: { shown: "appointmentId code createdAt id offer", hidden: "appliedAt entryId idempotencyKey patientId" },
  otp_challenges: {
    shown: "",
    hidden: "attempts codeHmac consumedAt createdAt device expiresAt idHash ip jar passwordTries payload phone purpose verifiedAt",
  },
  appointment_proposals: { shown: "", hidden: "appointmentId atDesk awayReason createdAt endedAt expiresAt id options state" },
  slot_claims: { shown: "", hidden: "appointmentId createdAt date doctorId kind offerId seat time" },
  audit_log: {
    shown: "action at id ip subjectId subjectType",
    hidden: "actorId actorRole details hospitalId memberRole onBehalfOf personId requestId",
  },
  account_returns: { shown: "", hidden: "account amount nextTryAt provider providerTransferId refundId requestedAt settledAt state tries" },
  ledger_entries: { shown: "", hidden: "account amount appointmentId at doctorId id merchantId paymentId refundId transferId" },
  reminders: { shown: "", hidden: "appointmentId createdAt kind startsAt" },
  api_replays: { shown: "", hidden: "body call createdAt fingerprint finishedAt keyHash status userId" },
};

it("the download and the deletion know every column", () => {
  const declared = [...allPolicies()].flatMap(([table, { rows, columns }]) => {
    if (!rows) return [];
    const list = (which: (column: ColumnPolicy) => boolean) =>
      Object.keys(columns)
        .filter((key) => which(columns[key]!))
        .sort()
        .join(" ");
    const emptied = list(({ emptied }) => emptied);
    const lists = { shown: list(({ name }) => name !== null), hidden: list(({ name }) => name === null), ...(emptied && { emptied }) };
    return [[getTableName(table), lists] as const];
  });
  expect(Object.fromEntries(declared)).toEqual(COLUMNS);
  const tables = [...allPolicies()].filter(([table]) => getTableName(table) in OF_A_PATIENT);
  const fates = tables.map(([table, policy]) => [
    getTableName(table),
    policy.rows && { exported: policy.section, deleted: policy.rows === "stay" ? "stays" : policy.rows },
  ]);
  expect(Object.fromEntries(fates)).toEqual(OF_A_PATIENT);
});

it("the download and the deletion cover every table", async () => {
  const tables = await server.sql<{ name: string }[]>`
    select distinct c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confrelid in ('users'::regclass, 'patients'::regclass) and c.connamespace = 'public'::regnamespace`;
  expect(tables.map((t) => t.name).sort()).toEqual([...Object.keys(OF_A_PATIENT), ...OF_OTHERS].sort());
  const other = await loginAs(server, { role: "patient", phone: newPhone() });
  const data = jsonOf(unzipSync((await download(other)).body));
  for (const { exported } of Object.values(OF_A_PATIENT)) if (exported) expect(data).toHaveProperty(exported);
});
