/** A complete journey through the API alone, from a doctor who registers to a patient whose visit is over. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { pdf } from "../factories/pdfs.ts";
import { dayFromNow, newEmail, newPhone } from "../factories/people.ts";
import { newHospital, picture } from "../setup/applications.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, watchChanges } from "../setup/watch-changes.ts";
import { ApiClient } from "./client.ts";
import { doctorLogin, patientLogin, staff } from "./people.ts";

let server: TestServer;
let visitor: ApiClient;
beforeAll(async () => {
  server = await startServer({ seed: false });
  visitor = await ApiClient.of(server.url);
  await watchChanges(server);
});
afterAll(() => server?.stop());

it("registers, is reviewed and approved, adds slots, is booked with two records, accepts and completes; both are notified, and both ask the assistant", async () => {
  const reviewer = await staff(server, "reviewer");
  const admin = await staff(server, "admin");
  const hospitalId = await newHospital(server, { name: "Story Hospital" });
  await server.sql`insert into hospital_reviewers (hospital_id, user_id) values (${hospitalId}, ${reviewer.id})`;

  // The doctor registers.
  const email = newEmail();
  const phone = newPhone();
  const registered = await doctorLogin(server, visitor, { email, phone, isRegistration: true });
  expect(registered.proven).toMatchObject({ isExistingDoctor: false, registrationStatus: null });
  expect(registered.done).toMatchObject({ isNewlyRegistered: true, registrationStatus: "draft", role: "doctor" });
  const doctorId = registered.done.doctorId!;
  const doctor = registered.client;
  await doctor.refused("getStats", {}, 403, "Your application is not submitted yet. Complete its three steps.");

  // The application, with a hospital of the list.
  const names = await visitor.call("listHospitalNames");
  expect(names.body.message).toBe("1 hospitals loaded successfully");
  const sent = await doctor.call("verifyDoctor", {
    query: { doctorId },
    headers: { "idempotency-key": "story-application" },
    body: {
      verification: "pending",
      hospital_hospitalId: names.body.data[0]!._id,
      fullName: "Dr. Story Writer",
      gender: "Female",
      dateOfBirth: "1985-03-14",
      medicalCouncilRegistrationNumber: "APMC/STORY",
      medicalCouncilName: "Andhra Pradesh Medical Council",
      yearOfRegistration: "2010",
      aadhaarNumber: "712345670124",
      primarySpecialization: "Cardiologist",
      category: "Cardiology",
      experienceYears: "12",
      consultationFee: "500",
      about: "Hearts of all ages.",
      languages: ["English", "Telugu"],
      location: { city: "Guntur", state: "Andhra Pradesh" },
      qualifications: [{ degree: "MBBS", universityCollege: "Guntur Medical College", year: "2009" }],
      bank_bankName: "State Bank of India",
      bank_accountNumber: "31234567890",
      bank_ifscCode: "SBIN0001234",
      bank_accountHolderName: "Story Writer",
      bank_bankBranch: "Guntur Main",
    },
    files: {
      profileImage: [[await picture(), "me.jpg"]],
      identityDocument: [[await picture(), "aadhaar.jpg"]],
      medicalCouncilCertificate: [[await picture(), "council.jpg"]],
      qualificationCertificates: [
        [await picture(), "mbbs.jpg"],
        [await picture(), "md.jpg"],
      ],
    },
  });
  expect(sent.body).toMatchObject({ message: "Verification submitted successfully!", registrationStatus: "under review by hospital" });
  expect(sent.body.token).toBe(doctor.token);
  const status = async () => (await visitor.call("getVerificationStatus", { params: { doctorId } })).body.registrationStatus;
  expect(await status()).toBe("under review by hospital");

  // The hospital's reviewer, then the administrator.
  const reviewerClient = (await doctorLogin(server, visitor, reviewer)).client;
  const waiting = await reviewerClient.call("listCases");
  expect(waiting.body.cases.map((c) => c.id)).toEqual([doctorId]);
  const file = (await reviewerClient.call("getCase", { params: { id: doctorId } })).body;
  expect(file.documents).toHaveLength(5);
  expect(JSON.stringify(file)).not.toContain("31234567890");
  for (const { file_url } of file.documents) {
    const document = await reviewerClient.call("getFile", { params: { id: file_url!.split("/").at(-1)! } });
    expect(document.headers.get("content-type")).toBe("image/jpeg");
  }
  const matches = file.documents.map(({ id }) => ({ id, decision: "matches" as const }));
  await reviewerClient.call("decideCase", { params: { id: doctorId }, body: { intent: "approve", seen: file.seen, documents: matches } });
  expect(await status()).toBe("pending admin approval");

  const office = (await doctorLogin(server, visitor, admin)).client;
  expect((await office.call("listAllCases")).body.cases.map((c) => c.id)).toEqual([doctorId]);
  const again = (await office.call("getAnyCase", { params: { id: doctorId } })).body;
  for (const { file_url } of again.documents) await office.call("getFile", { params: { id: file_url!.split("/").at(-1)! } });
  await office.call("decideAnyCase", { params: { id: doctorId }, body: { intent: "approve", seen: again.seen, documents: matches } });
  expect(await status()).toBe("verified");

  // The approval erases the identity: the doctor reads the masked number and no scan.
  const profile = (await doctor.call("getProfile")).body;
  expect([profile.aadhaarNumber, profile.identityDocument]).toEqual(["•••• •••• 0124", null]);
  expect(profile.medicalCouncilCertificate).toContain("/api/files/");
  const documents = (await office.call("getAnyCase", { params: { id: doctorId } })).body.documents;
  expect(documents.filter((d) => d.file_url === null).map((d) => d.kind)).toEqual(["identityDocument"]);

  // Slots.
  const [one, two] = [dayFromNow(2), dayFromNow(3)];
  await doctor.call("addAvailability", {
    body: {
      days: [
        { date: one, slots: ["10:00 AM", "10:30 AM"] },
        { date: two, slots: ["17:30"] },
      ],
    },
  });

  // A patient finds and books.
  const patient = await patientLogin(server, visitor);
  const found = await visitor.call("listDoctors", { query: { category: "Cardiology" } });
  expect(found.body).toMatchObject([
    { doctorId, fullName: "Dr. Story Writer", consultationFee: 500, hospitalInfo: [{ hospitalName: "Story Hospital" }] },
  ]);
  const free = await patient.client.call("getAvailability", { params: { doctorIdOrDate: doctorId } });
  expect(free.body.days).toMatchObject([
    { date: one, slots: ["10:00 AM", "10:30 AM"] },
    { date: two, slots: ["5:30 PM"], times: [{ time: "5:30 PM", minutes: 30 }] },
  ]);
  const booked = await patient.client.call("bookAppointmentCall", {
    headers: { "idempotency-key": "story-booking" },
    body: {
      patient: patient.patient._id,
      doctor: doctorId,
      date: one,
      time: "10:30 AM",
      reason: "Cough at night",
      patientInfo: {
        name: "Lakshmi Devi",
        phone: "9876543210",
        age: 34,
        gender: "female",
        blood_group: null,
        medical_history_summary: "Asthma",
      },
      medicalRecordsMeta: [
        { originalname: "a.jpg", record_type: "prescription", description: "Last year" },
        { originalname: "b.pdf", record_type: "xray", description: "Chest" },
      ],
    },
    files: {
      medicalRecords: [
        [await picture(), "a.jpg"],
        [new Blob([new Uint8Array(pdf())]), "b.pdf"],
      ],
    },
  });
  expect(booked.body).toMatchObject({
    message: "Appointment booked in progress!",
    appointment: { status: "pending", time: "10:30 AM", fee: 500, discount: 0, toPay: 500 },
  });
  const { id } = booked.body.appointment;

  // The doctor gets the notification, opens the visit, accepts and completes it.
  expect((await doctor.call("countNotifications")).body.count).toBeGreaterThan(0);
  const day = await doctor.call("listDoctorAppointments");
  expect(day.body.appointments).toMatchObject([
    {
      _id: id,
      time: "10:30 AM",
      reason: "Cough at night",
      patientInfo: { name: "Lakshmi Devi", age: 34, medical_history_summary: "Asthma", blood_group: null },
      medicalRecords: [
        { description: "Chest", record_type: "xray" },
        { description: "Last year", record_type: "prescription" },
      ],
    },
  ]);
  const record = day.body.appointments[0]!.medicalRecords[0]!.file_url.split("/").at(-1)!;
  expect((await doctor.call("getFile", { params: { id: record } })).status).toBe(200);
  expect((await doctor.call("acceptAppointment", { params: { id } })).body.message).toBe("Appointment accepted successfully!");
  await doctor.refused("completeAppointment", { params: { id } }, 409);
  server.clock.to(instantInIndia(booked.body.appointment.date, "10:30").getTime());
  // The token of some days ago has expired.
  const atVisit = (await doctorLogin(server, visitor, { email, phone })).client;
  expect((await atVisit.call("completeAppointment", { params: { id } })).body.message).toBe("Appointment completed successfully!");
  expect((await atVisit.call("undoCompleteAppointment", { params: { id } })).body.message).toBe("Appointment is open again.");
  expect((await atVisit.call("getStats")).body).toMatchObject({ completedAppointments: 0, totalEarnings: 0 });
  expect((await atVisit.call("completeAppointment", { params: { id } })).body.message).toBe("Appointment completed successfully!");
  expect((await atVisit.call("getStats")).body).toMatchObject({ completedAppointments: 1, uniquePatients: 1, totalEarnings: 500 });
  server.clock.set(0);

  // Each change of a state is one event.
  const changes = ["doctor.register", "doctor.submit", "doctor.hospital-approve", "doctor.approve"];
  const visit = ["book", "accept", "complete", "undo-complete", "complete"].map((action) => `appointment.${action}`);
  expect(await expectEvents(server)).toEqual([...changes, ...visit]);

  // The patient gets the notification.
  const notified = await patient.client.call("listOwnNotifications");
  expect(notified.body.map((n) => n.type)).toEqual(["success", "warning", "success", "success"]);
  await patient.client.call("readOneNotification", { params: { id: notified.body[0]!._id } });
  expect((await patient.client.call("countNotifications")).body.count).toBe(3);
  expect((await patient.client.call("readEveryNotification")).body.message).toBe("All notifications marked as read");
  expect((await patient.client.call("countNotifications")).body.count).toBe(0);
  expect((await patient.client.call("listOwnAppointments")).body).toMatchObject({
    count: 1,
    appointments: [{ _id: id, status: "completed" }],
  });

  // Both ask the assistant. No model is configured, and the answer states that.
  const patientId = patient.patient._id;
  const asked = await patient.client.call("askAssistant", { body: { patientId, message: "my appointments" } });
  expect(asked.body).toMatchObject({ success: true, answeredBy: "helper", emergency: false, sources: ["Your appointments"] });
  const near = await patient.client.call("askAssistant", { body: { patientId, message: "cardiologist in Guntur" } });
  expect(near.body.doctors).toEqual([{ doctorId, fullName: "Dr. Story Writer", specialization: "Cardiologist" }]);
  expect(near.body.answer).toContain("- Dr. Story Writer, Cardiologist");
  const more = await patient.client.call("askAssistant", {
    body: { patientId, message: "chest pain, I cannot breathe", conversationId: asked.body.conversationId },
  });
  expect(more.body).toMatchObject({ emergency: true, conversationId: asked.body.conversationId });
  expect(more.body.answer).toContain("Call 108 (ambulance)");
  const answered = await doctor.call("askAsDoctor", { body: { doctorId, message: "visits today" } });
  expect(answered.body.message).toContain("Appointments today: 0.");
  expect((await doctor.call("getDoctorMessages", { params: { doctorId } })).body).toMatchObject([
    { role: "doctor", message: "visits today", sources: [] },
    { role: "assistant", message: answered.body.message, sources: answered.body.sources },
  ]);
  expect((await doctor.call("clearDoctorMessages", { params: { doctorId } })).body.message).toBe("Chat history cleared");
  expect((await doctor.call("getDoctorMessages", { params: { doctorId } })).body).toEqual([]);
  await patient.client.call("deleteAllChats", { params: { patientId } });
  expect((await server.sql`select from conversations`).count).toBe(0);

  // And logs out.
  await patient.client.call("endToken");
  await patient.client.refused("listOwnAppointments", {}, 401, "Authentication failed. Please log in again.");
});
