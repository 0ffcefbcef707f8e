/** The sentences of both error catalogues (spec 000 §8, spec 001 §8) that a call can return and no other API test covers. */

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { patients, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { dayFromNow, makeDoctor, makePatient, newEmail, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import { amr, webm } from "../factories/sounds.ts";
import { sse, textReply } from "../mocks/gemini.ts";
import { httpStub, type Reply } from "../mocks/http-stub.ts";
import { newDoctor, picture } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient } from "./client.ts";
import { tokenFor } from "./people.ts";

const SILENT: Reply = { status: 400, body: "{}" };
let server: TestServer;
let stub: Awaited<ReturnType<typeof httpStub>>;
let reply: Reply = textReply("Fine.");
let visitor: ApiClient;
let doctor: TestDoctor;
let doctorClient: ApiClient;
let patientId: string;
let own: ApiClient;

/** Returns a value for each field of the profile that the API takes, also a new one. */
const ownProfile = () => ({
  ...Object.fromEntries(Object.keys(ENDPOINTS.saveOwnPatient.body!.shape).map((field) => [field, `${field} of Anjali`])),
  ...{ dob: "1985-01-02", gender: "Female" },
});

beforeAll(async () => {
  stub = await httpStub(() => reply);
  server = await startServer({ seed: false, env: { GEMINI_API_KEY: "test-key-of-gemini", GEMINI_BASE_URL: stub.url } });
  visitor = await ApiClient.of(server.url);
  doctor = await makeDoctor(server.db);
  doctorClient = visitor.as(await tokenFor(server, doctor.id));
});
afterAll(async () => {
  await server?.stop();
  await stub?.[Symbol.asyncDispose]();
});
// A new user for each test, so that no limit carries over.
beforeEach(async () => {
  patientId = (await makePatient(server.db)).id;
  own = visitor.as(await tokenFor(server, patientId));
  reply = textReply("Fine.");
});

describe("chat", () => {
  const ask = (message = "What helps against a cold?") => ({ body: { patientId, message } });
  const speak = (audio = new Blob([new Uint8Array(webm())])) => ({
    body: { patientId } as never,
    files: { audio: [[audio, "voice.webm"]] as [Blob, string][] },
  });
  const back = async () => {
    reply = textReply("Back.");
    // The circuit breaker stays closed when a success follows.
    expect((await own.call("askAssistant", ask("And now?"))).body).toMatchObject({ answer: "Back.", answeredBy: "model" });
  };

  it("a patient's question: with an answer, without one, and with the model down", async () => {
    reply = textReply("**Drink** water. ", "See [WHO](https://who.int/a).");
    expect((await own.call("askAssistant", ask())).body).toMatchObject({ answer: "**Drink** water. See [WHO](https://who.int/a)." });
    reply = sse();
    expect((await own.call("askAssistant", ask("Hello?"))).body.answer).toBe("No response from assistant.");
    reply = SILENT;
    const refused = await own.refused("askAssistant", ask(), 503, "Sorry, I couldn't reach the assistant. Please try again later.");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await back();
  });
  it("continues the user's own conversation, and no other", async () => {
    const { conversationId } = (await own.call("askAssistant", ask("First"))).body;
    await own.call("askAssistant", { body: { patientId, message: "Second", conversationId } });
    expect(String(stub.seen.at(-1)?.body)).toContain("First");
    const other = (await makePatient(server.db)).id;
    const stranger = visitor.as(await tokenFor(server, other));
    await stranger.refused("askAssistant", { body: { patientId: other, message: "Third", conversationId } }, 404);
  });
  it("continues the latest conversation without an id, and starts another on request", async () => {
    const first = (await own.call("askAssistant", ask("First"))).body.conversationId;
    expect((await own.call("askAssistant", ask("Second"))).body.conversationId).toBe(first);
    expect(String(stub.seen.at(-1)?.body)).toContain("First");
    expect((await own.call("askByVoice", speak())).body.conversationId).toBe(first);
    const another = await own.call("askAssistant", { body: { patientId, message: "Third", conversationId: "new" } });
    expect(another.body.conversationId).not.toBe(first);
    expect((await own.call("askAssistant", ask("Fourth"))).body.conversationId).toBe(another.body.conversationId);
  });
  it("asks once for the same Idempotency-Key, and again after a failure", async () => {
    const keyed = { ...ask("Once?"), headers: { "idempotency-key": "chat-once-1" } };
    const before = stub.seen.length;
    const first = await own.call("askAssistant", keyed);
    expect((await own.call("askAssistant", keyed)).body).toEqual(first.body);
    expect(stub.seen.length).toBe(before + 1);
    reply = SILENT;
    const failing = { ...ask("Again?"), headers: { "idempotency-key": "chat-again-1" } };
    await own.refused("askAssistant", failing, 503);
    reply = textReply("Now.");
    expect((await own.call("askAssistant", failing)).body.answer).toBe("Now.");
  });
  it("a voice message: with an answer, without one, with the model down, and without a recording", async () => {
    reply = textReply("HEARD: I have a cold\nDrink water.");
    expect((await own.call("askByVoice", speak())).body).toMatchObject({ answer: "Drink water.", heard: "I have a cold" });
    reply = sse();
    expect((await own.call("askByVoice", speak())).body.answer).toBe("Sorry, I couldn't process that voice message.");
    reply = SILENT;
    await own.refused("askByVoice", speak(), 503, "Sorry, I couldn't process that voice message. Please try again.");
    await back();
    const none = "We cannot use this recording. Type your question, or add a recording as WAV, MP3, AAC, M4A, OGG, AIFF or FLAC.";
    await own.refused("askByVoice", speak(new Blob([new Uint8Array(amr())])), 415, none);
    await own.refused("askByVoice", { body: { patientId, audio: "text" } as never }, 400, none);
    const large = speak(new Blob([Buffer.alloc(10.5 * 1024 * 1024, 0x1a)]));
    await own.refused("askByVoice", large, 413);
  });
  it("refuses a request without the patient's own id", async () => {
    const login = "Please login to start a chat.";
    await own.refused("askAssistant", { body: { message: "Hello" } as never }, 400, login);
    await own.refused("askByVoice", { ...speak(), body: {} as never }, 400, login);
    await doctorClient.refused("askAssistant", ask(), 403, login);
    await doctorClient.refused("deleteAllChats", { params: { patientId } }, 403, "No patient logged in.");
    await own.refused("askAsDoctor", { body: { doctorId: doctor.id, message: "Hi" } }, 403, "Please login to access the chat");
  });
  it("deleting removes the recordings and leaves the chats of other users", async () => {
    reply = textReply("HEARD: a\nb");
    await own.call("askByVoice", speak());
    await doctorClient.call("askAsDoctor", { body: { doctorId: doctor.id, message: "Stay" } });
    const left = async (id: string) => (await server.sql`select from conversations where owner_id = ${id}`).count;
    const files = async () => (await server.sql`select from files where owner_id = ${patientId}`).count;
    expect([await left(patientId), await files()]).toEqual([1, 1]);
    await own.call("deleteAllChats", { params: { patientId } });
    expect([await left(patientId), await files(), await left(doctor.id)]).toEqual([0, 0, 1]);
  });
  it("reports that the model is down to a doctor, and stores the question in the history", async () => {
    const question = { body: { doctorId: doctor.id, message: "What is new in asthma care?" } };
    reply = SILENT;
    await doctorClient.refused("askAsDoctor", question, 503, "Failed to send message");
    const { body } = await doctorClient.call("getDoctorMessages", { params: { doctorId: doctor.id } });
    expect(body.slice(-2)).toMatchObject([
      { role: "doctor", message: "What is new in asthma care?" },
      { role: "assistant", message: "Error connecting to AI service.", sources: [] },
    ]);
    reply = textReply("Guidelines.");
    expect((await doctorClient.call("askAsDoctor", question)).body.message).toBe("Guidelines.");
    const paged = await doctorClient.call("getDoctorMessages", { params: { doctorId: doctor.id }, query: { limit: 1 } });
    expect([paged.body.length, paged.headers.get("link")]).toEqual([1, expect.stringContaining('rel="next"')]);
  });
});

const application = (council: string) => ({
  verification: "pending" as const,
  hospital_hospitalName: "Lotus Clinic",
  hospital_address: "12 Brodipet, Guntur",
  hospital_contact: "0863 223 4567",
  hospital_isManualEntry: "true",
  fullName: "Dr. Draft",
  gender: "Male",
  dateOfBirth: "1985-03-14",
  medicalCouncilRegistrationNumber: council,
  medicalCouncilName: "Andhra Pradesh Medical Council",
  yearOfRegistration: "2010",
  primarySpecialization: "Cardiologist",
  experienceYears: "12",
  consultationFee: "500",
  about: "Hearts.",
  location: '{"city":"Guntur","state":"Andhra Pradesh"}' as never,
  qualifications: '[{"degree":"MBBS"}]' as never,
  bank_bankName: "SBI",
  bank_accountNumber: "31234567899",
  bank_ifscCode: "SBIN0001234",
  bank_accountHolderName: "D",
  bank_bankBranch: "Guntur",
});
const images = async (): Promise<Record<string, [Blob, string][]>> => ({
  profileImage: [[await picture(), "me.jpg"]],
  identityDocument: [[await picture(), "id.jpg"]],
  medicalCouncilCertificate: [[await picture(), "council.jpg"]],
  qualificationCertificates: [[await picture(), "mbbs.jpg"]],
});

describe("the doctor's pages", () => {
  it("availability: returns what each change did, and refuses an ended login", async () => {
    const [day, slots] = [dayFromNow(3), ["9:00 AM"]];
    const at = { params: { doctorIdOrDate: day } };
    expect((await doctorClient.call("addAvailability", { body: { days: [{ date: day, slots }] } })).body.message).toBe(
      "Availability updated successfully!",
    );
    expect((await doctorClient.call("changeAvailability", { ...at, body: { slots: ["9:30 AM"] } })).body.message).toBe(
      "Availability updated successfully",
    );
    expect((await doctorClient.call("deleteAvailability", at)).body.message).toBe("Availability deleted successfully");
    const over = visitor.as("over");
    const expired = "Please login again, session expired";
    await over.refused("getAvailability", { params: { doctorIdOrDate: doctor.id } }, 401, expired);
    await over.refused("addAvailability", { body: { days: [{ date: day, slots }] } }, 401, expired);
    await over.refused("changeAvailability", { ...at, body: { slots } }, 401, expired);
    await over.refused("deleteAvailability", at, 401, expired);
  });
  it("the profile: returns it saved, without details of the hospital, and refuses a doctor without one", async () => {
    await server.sql`update doctors set gender = 'female', date_of_birth = '1980-02-03', council_name = 'AP Council', council_number = 'E1',
      council_year = 2006, about = 'About', qualifications = '[{"degree":"MBBS","universityCollege":"","year":null}]' where id = ${doctor.id}`;
    expect((await doctorClient.call("saveOwnProfile", { body: { about: "Lungs." } })).body.message).toBe("Profile updated successfully!");
    const half = { hospitalInfo: [{ hospitalName: "Lotus", hospitalAddress: "", contactNumber: "" }] };
    await doctorClient.refused("saveOwnProfile", { body: half }, 400, "Please fill in all hospital details");
    const [none] = await server.db
      .insert(users)
      .values({ role: "doctor", phone: newPhone(), email: newEmail(), passwordHash: "none" })
      .returning({ id: users.id });
    const empty = visitor.as(await tokenFor(server, none!.id));
    await empty.refused("getProfile", {}, 404, "No profile data available");
  });
  it("the profile: returns a name in Telugu and Hindi after approval, and asks for none of them with another name", async () => {
    const profile = async () => (await doctorClient.call("getProfile", {})).body;
    const names = { nameInTelugu: "డా. నమూనా", nameInHindi: "डॉ. नमूना" };
    await doctorClient.refused("saveOwnProfile", { body: { nameInHindi: "Sample" } }, 400, "Write this name in Hindi letters.");
    expect((await doctorClient.call("saveOwnProfile", { body: names })).body.waiting).toEqual(["name"]);
    expect(await profile()).toMatchObject({ nameInTelugu: "", nameInHindi: "" });
    const asked = async () =>
      (
        await server.sql<{ after: Record<string, string> }[]>`
        select after from profile_changes where doctor_id = ${doctor.id} and field = 'name' and status = 'pending'`
      )[0]?.after;
    const { fullName } = await profile();
    expect(await asked()).toEqual({ fullName, ...names });
    await server.sql`update doctors set translations = jsonb_build_object('te', jsonb_build_object('name', ${names.nameInTelugu}::text)) where id = ${doctor.id}`;
    expect(await profile()).toMatchObject({ nameInTelugu: names.nameInTelugu, nameInHindi: "" });
    await doctorClient.call("saveOwnProfile", { body: { fullName: "Dr. Another Name" } });
    expect(await asked()).toEqual({ fullName: "Dr. Another Name" });
  });
  it("the profile: accepts a picture as image data, ignores other text, and reads an empty fee as 0", async () => {
    const profile = async () => (await doctorClient.call("getProfile", {})).body;
    const data = Buffer.from(await (await picture()).arrayBuffer()).toString("base64");
    await doctorClient.call("saveOwnProfile", { body: { profileImage: `data:image/jpeg;base64,${data}`, consultationFee: "" } });
    const { profileImage, consultationFee } = await profile();
    expect(profileImage).toMatch(/\/photos\/[0-9a-f-]{36}$/);
    expect(consultationFee).toBe(0);
    await doctorClient.call("saveOwnProfile", { body: { profileImage: "https://elsewhere.test/me.jpg", consultationFee: 500 } });
    expect(await profile()).toMatchObject({ profileImage, consultationFee: 500 });
  });
  it("refuses an application without verification=pending", async () => {
    const { userId } = await newDoctor(server);
    const draft = visitor.as(await tokenFor(server, userId));
    const body = { verification: "approved" } as never;
    await draft.refused("verifyDoctor", { query: { doctorId: userId }, body }, 400, "Verification failed");
    await draft.refused("verifyDoctor", { query: { doctorId: userId }, body: {} }, 400);
  });
  it("lists each missing image of an application, and stores no image of a refused call", async () => {
    const { userId } = await newDoctor(server);
    const draft = visitor.as(await tokenFor(server, userId));
    const query = { doctorId: userId };
    const none = await draft.refused("verifyDoctor", { query, body: application("APMC/IMAGES") }, 400, "Profile image is required");
    expect(none.body.errors).toEqual({
      profileImage: ["Profile image is required"],
      identityDocument: ["Aadhaar image is required"],
      medicalCouncilCertificate: ["Medical council certificate image is required"],
      qualificationCertificates: ["Qualification certificate files are missing. Please go back and re-upload your files."],
    });
    const stored = async () =>
      (
        await server.sql`select id from files where owner_id = ${userId} union all select id from doctor_documents where doctor_id = ${userId}`
      ).count;
    const files = await images();
    const { profileImage: _, ...three } = files;
    const one = await draft.refused("verifyDoctor", { query, body: application("APMC/IMAGES"), files: three }, 400);
    expect(Object.keys(one.body.errors ?? {})).toEqual(["profileImage"]);
    await draft.refused("verifyDoctor", { query, body: { ...application("APMC/IMAGES"), panNumber: "12" }, files }, 400);
    await draft.refused("verifyDoctor", { query, body: { verification: "approved" } as never, files }, 400);
    const broken = { ...files, qualificationCertificates: [[new Blob(["text"]), "mbbs.jpg"]] as [Blob, string][] };
    await draft.refused("verifyDoctor", { query, body: application("APMC/IMAGES"), files: broken }, 415);
    expect(await stored()).toBe(0);
    await draft.call("verifyDoctor", { query, body: application("APMC/IMAGES"), files });
    expect(await stored()).toBe(8);
  });
  it("refuses an application that is sent again while it is under review", async () => {
    const { userId } = await newDoctor(server);
    const draft = visitor.as(await tokenFor(server, userId));
    const sent = { query: { doctorId: userId }, body: application("APMC/AGAIN"), files: await images() };
    expect((await draft.call("verifyDoctor", sent)).body.message).toBe("Verification submitted successfully!");
    const review = "Your registration is still under review.";
    await draft.refused("verifyDoctor", sent, 409, review);
    await draft.refused("verifyDoctor", { ...sent, headers: { "idempotency-key": "application-again" } }, 409, review);
    expect((await server.sql`select id from files where owner_id = ${userId}`).count).toBe(4);
  });
  it("leaves a rejected application rejected when its new one is refused", async () => {
    const { userId } = await newDoctor(server, "rejected");
    const draft = visitor.as(await tokenFor(server, userId));
    await draft.refused("verifyDoctor", { query: { doctorId: userId }, body: application("APMC/REJECTED") }, 400);
    expect((await server.sql`select registration_status as status from doctors where id = ${userId}`)[0]?.status).toBe("rejected");
  });
});

describe("a patient", () => {
  it.each(["98765 43210 5", "+971 50 123 4567"])("sends no code to another person for %j", async (phoneNumber) => {
    await visitor.refused("sendPatientOtp", { body: { phoneNumber } }, 400, "Please enter a valid 10-digit mobile number");
  });
  it("refuses a code that is expired, wrong or was never requested", async () => {
    const phone = newPhone();
    const over = "OTP expired. Please request a new code.";
    const check = (otp: string) => ({ body: { phoneNumber: typed(phone), otp } });
    await visitor.refused("verifyPatientOtp", check("123456"), 400, over);
    await visitor.call("sendPatientOtp", { body: { phoneNumber: typed(phone) } });
    const code = await server.lastCode(phone);
    await visitor.refused("verifyPatientOtp", check(code === "111111" ? "222222" : "111111"), 400, "OTP verification failed");
    server.clock.advance(121_000);
    await visitor.refused("verifyPatientOtp", check(code), 400, over);
    server.clock.set(0);
  });
  it("saves the profile, and ignores the photo's address and the phone when they return unchanged", async () => {
    const files = { photo: [[await picture(), "me.jpg"]] as [Blob, string][] };
    expect((await own.call("saveOwnPatient", { body: { name: "Anjali" }, files })).body.message).toBe("Profile updated successfully!");
    const before = (await own.call("getOwnPatient")).body;
    expect(before).toMatchObject({
      name: "Anjali",
      photo: expect.stringContaining("/api/files/"),
      phone: expect.stringMatching(/^\+91\d{10}$/),
    });
    const changed = { ...ownProfile(), name: before.name, photo: before.photo };
    await own.call("saveOwnPatient", { body: { ...changed, phone: "+919999999999" } });
    expect((await own.call("getOwnPatient")).body).toEqual({ ...before, ...changed, phone: before.phone });
  });
  it("changes no field of the profile that a call leaves out", async () => {
    const noAllergiesOn = sealed(patients.noAllergiesOn, patientId, dayFromNow(-3), [DEMO_KEY]);
    await server.db.update(patients).set({ noAllergiesOn }).where(eq(patients.id, patientId));
    const stored = async () => (await server.sql`select to_jsonb(p) - 'updated_at' as row from patients p where id = ${patientId}`)[0];
    await own.call("saveOwnPatient", { body: ownProfile() });
    const before = await stored();
    await own.call("saveOwnPatient", { body: {} });
    expect(await stored()).toEqual(before);
    expect(before!.row).toMatchObject({ name: "name of Anjali", date_of_birth: "1985-01-02", gender: "female" });
    expect(before!.row.no_allergies_on).toBeTruthy();
  });
  it("returns what a code of the wallet deducts from a booking, and the rest to pay", async () => {
    const day = dayFromNow(4);
    const paid = await makeDoctor(server.db, { fee: 50_000, slots: ["10:00", "10:30"].map((time) => ({ date: day, time })) });
    await server.sql`insert into wallet_entries (patient_id, kind, about, points) values (${patientId}, 'demo', 'demo', 1000)`;
    await server.sql`with spent as (insert into wallet_entries (patient_id, kind, about, points)
        values (${patientId}, 'offer', 'visit-100', -1000) returning id)
      insert into wallet_codes (patient_id, offer, code, entry_id, idempotency_key)
        select ${patientId}, 'visit-100', 'NW-TEST-CODE', id, 'key-of-test' from spent`;
    const book = (time: string) => ({
      body: { doctor: paid.id, date: day, time, patientInfo: { name: "A", phone: "9876543210", age: 30, gender: "other" as const } },
    });
    const first = await own.call("bookAppointmentCall", book("10:00 AM"));
    expect(first.body.appointment).toMatchObject({ fee: 500, discount: 100, toPay: 400 });
    const second = await own.call("bookAppointmentCall", book("10:30 AM"));
    expect(second.body.appointment).toMatchObject({ fee: 500, discount: 0, toPay: 500, payBefore: null });
  });
});
