/** The document, the routes and the table agree, and the page shows all of it. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MESSAGE_TYPES, messageOf, TEST_KIND } from "#app/domains/places/webhooks/message.ts";
import type { JsonSchema, OpenApi, Operation } from "#app/http/api/openapi.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { readable } from "../factories/booking.ts";
import { Browser } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let document: OpenApi;
beforeAll(async () => {
  server = await startServer({ seed: false });
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApi;
});
afterAll(() => server?.stop());

it("answers every documented call, and no other path below /api", async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })));
  expect(operations.length).toBeGreaterThan(25);
  const unknown = { success: false, message: m.api_unknown() };
  for (const { path, method } of operations) {
    const answer = await fetch(server.url + path.replace(/\{\w+\}/g, "11111111-1111-4111-8111-111111111111"), { method });
    expect(answer.status, `${method} ${path}`).not.toBe(405);
    expect(await answer.json(), `${method} ${path}`).not.toEqual(unknown);
  }
  for (const path of ["/api/doctors", "/api/doctor/1/2", "/API/doctor", "/api1/doctor"]) {
    const answer = await fetch(server.url + path);
    expect([answer.status, await answer.json()], path).toEqual([404, unknown]);
  }
});

it("lists every call once, with its parameters, responses and errors", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: server.url, description: "This server." }]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map((o) => o.operationId).sort()).toEqual(Object.keys(ENDPOINTS).sort());
  for (const operation of operations) {
    expect(Object.keys(operation.responses), operation.operationId).toEqual(expect.arrayContaining(["401", "429", "503"]));
    expect(operation.summary, operation.operationId).toMatch(/^[A-Z][a-z]+s .{10,}\.$/);
    expect(operation.description, operation.operationId).toMatch(/^[A-Z`].{15,}\.$/s);
  }
  for (const [path, methods] of Object.entries(document.paths))
    for (const operation of Object.values(methods)) {
      const named = parametersOf(operation)
        .filter((p) => p.in === "path")
        .map((p) => `{${p.name}}`);
      expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
});

it("has no address that two paths describe alike", () => {
  // A path with a word where the other has a parameter is the more precise one. Two that are each more precise somewhere are ambiguous.
  const wins = (one: string[], other: string[]) => one.some((part, n) => !part.startsWith("{") && other[n]!.startsWith("{"));
  const fits = (one: string[], other: string[]) =>
    one.length === other.length && one.every((part, n) => part === other[n] || part.startsWith("{") || other[n]!.startsWith("{"));
  const paths = Object.keys(document.paths).map((path) => path.split("/"));
  const ambiguous = paths.flatMap((one, n) =>
    paths
      .slice(n + 1)
      .filter((other) => fits(one, other) && wins(one, other) === wins(other, one))
      .map((other) => [one.join("/"), other.join("/")]),
  );
  expect(ambiguous).toEqual([]);
});

const parametersOf = (operation: Operation) =>
  (operation.parameters ?? []).map((p) =>
    typeof p.$ref === "string" ? ((document.components.parameters as Record<string, JsonSchema>)[p.$ref.split("/").at(-1)!] ?? p) : p,
  );
const resolved = (part: JsonSchema | undefined) =>
  String(part?.$ref ?? "")
    .split("/")
    .slice(1)
    .reduce((at, key) => at[key] as JsonSchema, document as unknown as JsonSchema);

it("is valid by the schema of OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(document as unknown as Record<string, unknown>);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

it("declares and describes its tags, and names a licence", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const declared = document.tags.map(({ name }) => name);
  expect(new Set(declared).size).toBe(declared.length);
  expect([...new Set(operations.flatMap(({ tags }) => tags))].sort()).toEqual([...declared].sort());
  for (const tag of document.tags) expect(tag.description, tag.name).toMatch(/^[A-Z].{10,}\.$/);
  expect(document.info.license.name).toBeTruthy();
  for (const url of [document.info.license.url, document.info.termsOfService, document.info.contact.url])
    expect(url.startsWith(`${server.url}/`), url).toBe(true);
});

it("lists each role that may call as an alternative", () => {
  const securityOf = (path: string, method: string) => document.paths[path]![method]!.security;
  expect(securityOf("/api/appointments/{id}/cancel", "put")).toEqual([{ bearer: ["doctor"] }, { bearer: ["patient"] }]);
  expect(securityOf("/api/appointments/book", "post")).toEqual([{ bearer: ["patient"] }]);
  expect(securityOf("/api/doctor", "get")).toEqual([{}, { bearer: [] }]);
});

it("describes every parameter in a header, and which responses have Retry-After", () => {
  for (const [name, entry] of Object.entries(ENDPOINTS)) {
    const operation = document.paths[entry.path]![entry.method.toLowerCase()]!;
    const key = parametersOf(operation).find((p) => p.name === "Idempotency-Key");
    expect(Boolean(key), name).toBe("creates" in entry);
    if (key) {
      expect(key.description).toContain("24 hours");
      const pattern = new RegExp((key.schema as { pattern: string }).pattern);
      expect([pattern.test("booking-2026"), pattern.test("short"), pattern.test("a b c d e f g h")]).toEqual([true, false, false]);
    }
    for (const status of ["429", "503"]) {
      const headers = resolved(operation.responses[status]).headers as Record<string, JsonSchema>;
      expect(resolved(headers["Retry-After"]), name).toMatchObject({ required: true, schema: { type: "integer", minimum: 1 } });
    }
  }
});

it("is in English for every language of the reader", async () => {
  const answer = await fetch(`${server.url}/api/openapi.json`, { headers: { cookie: "lang=te", "accept-language": "te" } });
  expect(await answer.json()).toEqual(document);
});

it("describes the payloads of the specification", () => {
  const form = (path: string) => {
    const content = document.paths[path]?.post?.requestBody?.content as Record<string, { schema: { properties: Record<string, unknown> } }>;
    return content["multipart/form-data"]!.schema.properties;
  };
  const booking = form("/api/appointments/book");
  expect(Object.keys(booking)).toEqual([
    "patient",
    "doctor",
    "date",
    "time",
    "reason",
    "patientInfo",
    "medicalRecords",
    "medicalRecordsMeta",
    "practiceId",
  ]);
  expect(booking.medicalRecords).toEqual({ type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } });
  expect(booking.patientInfo).toMatchObject({
    type: "string",
    contentMediaType: "application/json",
    contentSchema: { properties: { name: { type: "string" }, gender: { enum: ["male", "female", "other"] }, blood_group: {} } },
  });
  const application = Object.keys(form("/api/doctor/verify-doctor"));
  for (const name of [
    "verification",
    "hospital_hospitalName",
    "hospital_address",
    "hospital_contact",
    "hospital_name",
    "qualifications",
    "bank_ifscCode",
    "profileImage",
    "identityDocument",
    "medicalCouncilCertificate",
    "qualificationCertificates",
  ])
    expect(application).toContain(name);
});

type Node = { type?: unknown; items?: Node; properties?: Record<string, Node>; anyOf?: Node[] };
/** Returns the schema of a call's response, or of the entries of a list. */
const read = (path: string, method = "get"): Node => {
  const given = Object.values(document.paths[path]![method]!.responses).find((r) => r.description === "The call succeeded.") as unknown as {
    content: { "application/json": { schema: Node } };
  };
  const schema = given.content["application/json"].schema;
  return schema.items ?? schema;
};
const has = (node: Node | undefined, ...names: string[]) =>
  expect(Object.keys(node?.properties ?? {})).toEqual(expect.arrayContaining(names));

it("lists the calls and fields of the patient's pages in the specification (001 §3, §7)", () => {
  const doctor = [
    "doctorId",
    "_id",
    "fullName",
    "name",
    "category",
    "primarySpecialization",
    "specialization",
    "additionalSpecializations",
  ];
  for (const path of ["/api/doctor", "/api/doctor/{id}"]) {
    const node = read(path);
    has(node, ...doctor, "profileImage", "experienceYears", "consultationFee", "about", "verified", "registrationStatus", "gender");
    has(node, "location", "languages", "qualifications", "hospitalInfo");
    has(node.properties!.location, "city", "state");
    has(node.properties!.qualifications?.items, "degree", "universityCollege", "year");
    has(node.properties!.hospitalInfo?.items, "hospitalName", "hospitalAddress", "contactNumber");
  }
  const hospital = read("/api/hospitals/hospitallogins");
  has(hospital, "_id", "id", "hospitalId", "hospitalName", "name", "category", "type", "specialties", "specialty", "location", "city");
  has(hospital, "address", "doctors", "rating", "reviewCount", "email", "contact", "description");
  has(read("/api/auth/patient/verify-otp", "post"), "token", "patient");
  has(read("/api/auth/patient/verify-otp", "post").properties!.patient, "_id", "id", "patientId");
  has(read("/api/patient/profile/get"), "name", "phone", "photo", "dob", "gender");
  has(read("/api/availability/{doctorIdOrDate}").properties!.days?.items, "date", "slots");
  const appointment = read("/api/appointments/my").properties!.appointments?.items;
  has(appointment, "_id", "appointment_date", "date", "appointment_time", "time", "status", "doctorName", "patientInfo", "reason");
  has(read("/api/chat", "post"), "answer", "sources");
  has(read("/api/chat/voice", "post"), "answer");
  has(read("/api/notifications/my"), "_id", "type", "title", "message", "createdAt", "read", "targetPath");
  has(read("/api/notifications/unread-count"), "count");
});

it("lists the calls and fields of the doctor's pages in the specification (000 §3, §7)", () => {
  const entries = (path: string, list: string) => read(path).properties![list]?.items;
  const visit = entries("/api/appointments/doctor", "appointments");
  has(visit, "_id", "date", "time", "status", "reason", "name", "patientInfo", "patient", "medicalRecords");
  has(visit?.properties?.patientInfo, "name", "age", "gender", "phone", "note", "photo", "blood_group", "medical_history_summary");
  has(visit?.properties?.patient, "phone");
  has(visit?.properties?.medicalRecords?.items, "description", "record_type", "file_url", "upload_date");
  const doctor = read("/api/doctor/profile");
  has(doctor, "doctorId", "fullName", "profileImage", "primarySpecialization", "specialization", "additionalSpecializations", "category");
  has(doctor, "experienceYears", "consultationFee", "about", "verified", "registrationStatus", "gender", "dateOfBirth");
  has(doctor, "medicalCouncilRegistrationNumber", "medicalCouncilName", "yearOfRegistration", "aadhaarNumber", "panNumber");
  has(doctor, "identityDocument", "medicalCouncilCertificate", "qualificationCertificates", "location", "languages", "qualifications");
  has(doctor.properties!.hospitalInfo?.items, "hospitalName", "hospitalAddress", "contactNumber");
  has(doctor.properties!.bankingInfo?.items, "bankName", "bankBranch", "accountHolderName", "accountNumber", "ifscCode");
  has(entries("/api1/hospitals/list", "data"), "_id", "hospitalName", "address", "contact");
  has(entries("/api/availability/{doctorIdOrDate}", "days"), "date", "slots");
  const stats = read("/api/doctor/stats");
  has(stats, "todayAppointments", "pendingAppointments", "acceptedAppointments", "completedAppointments", "cancelledAppointments");
  has(stats, "monthlyAppointments", "yearlyAppointments", "monthlyCompletedAppointments", "monthlyCancelledAppointments");
  has(stats, "uniquePatients", "totalEarnings", "monthlyEarnings", "yearlyEarnings", "todayEarnings", "weeklyEarnings");
  has(stats, "avgEarningsPerPatient", "consultationFee", "monthlyGrowth", "appointmentGrowth", "completionRate");
  has(stats.properties!.monthlyTrend?.items, "month", "label", "earnings", "appointments");
  has(read("/api/notifications/my"), "_id", "type", "title", "message", "createdAt", "read", "targetPath");
  has(read("/api/notifications/unread-count"), "count");
  has(read("/api/chat/doctor/{doctorId}"), "message", "role", "createdAt", "sources");
  has(read("/api/chat/doctor", "post"), "message", "sources");
  has(read("/api/auth/doctor/send-otp", "post"), "success", "message", "isExistingDoctor");
  has(read("/api/auth/doctor/verify-otp", "post"), "success", "message", "isExistingDoctor", "registrationStatus");
  has(read("/api/auth/doctor/doctor-auth", "post"), "token", "doctor", "isNewlyRegistered", "doctorId", "registrationStatus", "message");
  has(read("/api/doctor/verification-status/{doctorId}"), "success", "registrationStatus", "doctorId");
  has(read("/api/doctor/verify-doctor", "post"), "success", "token", "doctor", "message");
  const sent = (path: string, method: string) => {
    const content = document.paths[path]![method]!.requestBody?.content as Record<string, { schema: Node }>;
    return Object.keys(content["application/json"]?.schema.properties ?? {});
  };
  expect(sent("/api/auth/doctor/send-otp", "post")).toEqual(expect.arrayContaining(["phone", "email", "isRegistration"]));
  expect(sent("/api/auth/doctor/verify-otp", "post")).toEqual(expect.arrayContaining(["phone", "otp", "email"]));
  expect(sent("/api/auth/doctor/doctor-auth", "post")).toEqual(expect.arrayContaining(["email", "password", "mobileNumber"]));
  expect(sent("/api/availability", "post")).toEqual(["practiceId", "days"]);
  expect(sent("/api/availability/{doctorIdOrDate}", "put")).toEqual(["practiceId", "slots"]);
  expect(sent("/api/chat/doctor", "post")).toEqual(expect.arrayContaining(["message", "doctorId"]));
  const saved = ["fullName", "primarySpecialization", "category", "experienceYears", "gender", "dateOfBirth", "consultationFee", "about"];
  expect(sent("/api/doctor/profile", "put")).toEqual(expect.arrayContaining([...saved, "hospitalInfo", "bankingInfo", "profileImage"]));
});

it("is shown by a page that works without JavaScript", async () => {
  const page = await new Browser(server.url).get("/docs/api");
  expect(page.status).toBe(200);
  const text = readable(page.text);
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods)) expect(text.replace(/\s/g, "")).toContain(`${method.toUpperCase()}${path}`);
  expect(text).toContain("medicalRecordsMeta");
});

it("has a schema for each type of webhook message, which the messages follow", () => {
  const { webhooks } = document as OpenApi & { webhooks: Record<string, { post: JsonSchema }> };
  expect(Object.keys(webhooks)).toEqual([...MESSAGE_TYPES, TEST_KIND]);
  const at = new Date();
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { requestBody } = post as { requestBody: { content: Record<string, { schema: Schema }> } };
    const { properties } = requestBody.content["application/json"]!.schema;
    const [subject] = type.split(".");
    const values = {
      ...(/^(appointment|waitlist)$/.test(subject!) && { date: "2026-11-30", time: "10:00" }),
      ...(subject === "membership" && { role: "owner" }),
    };
    const event = {
      kind: type,
      subjectId: "id",
      doctorId: subject === "membership" ? null : "doctor",
      data: { to: "state", ...values },
      at,
    };
    const of = { placeId: "place", createdAt: at, event: type === TEST_KIND ? null : event, reference: null };
    const message = JSON.parse(messageOf(of)) as { type: string; data: object };
    const data = properties.data!;
    expect(properties.type, type).toEqual({ const: message.type });
    const names = Object.keys(message.data);
    expect(
      data.required.filter((name) => !names.includes(name)),
      type,
    ).toEqual([]);
    expect(
      names.filter((name) => !Object.hasOwn(data.properties, name)),
      type,
    ).toEqual([]);
  }
});
type Schema = JsonSchema & { required: string[]; properties: Record<string, Schema> };

it("lists the types of webhook messages that are sent, and no other", async () => {
  const text = readable((await new Browser(server.url).get("/docs/api")).text);
  for (const type of MESSAGE_TYPES) expect(text).toContain(type);
  for (const type of ["appointment.reschedule", "appointment.take-proposal"]) expect(text).not.toContain(type);
});

it("shows the frame, short addresses and calendar feeds with examples", async () => {
  const page = await new Browser(server.url).get("/docs/api");
  const text = readable(page.text);
  for (const example of [
    `<iframe src="${server.url}/embed/{slug}"`,
    `<a href="${server.url}/h/{slug}">`,
    `${server.url}/d/{slug}`,
    `${server.url}/calendar/{key}.ics`,
  ])
    expect(text).toContain(example);
  for (const id of ["frame", "short-pages", "feeds", "webhooks", "webhook-check", "webhook-events"]) {
    expect(page.text).toContain(`href="#${id}"`);
    expect(page.text).toContain(`id="${id}"`);
  }
});

it("returns JSON for an unknown call, another method and an unknown authentication", async () => {
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(server.url + path, { method, ...init });
    expect(answer.headers.get("content-type"), path).toContain("application/json");
    return { status: answer.status, body: (await answer.json()) as { success: boolean; message: string }, headers: answer.headers };
  };
  for (const path of ["/api/nothing", "/api1/nothing", "/api/doctor/a/b/c"])
    expect(await ask("GET", path)).toMatchObject({
      status: 404,
      body: { success: false, message: "This call does not exist. See /docs/api for all calls." },
    });
  const other = await ask("DELETE", "/api/doctor");
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET"]);
  const plain = await ask("POST", "/api/auth/patient/send-otp", {
    body: "phoneNumber=9876543210",
    headers: { "content-type": "text/plain" },
  });
  expect(plain.status).toBe(415);
  const form = await ask("POST", "/api/auth/patient/send-otp", { body: new URLSearchParams({ phoneNumber: "9876543210" }) });
  expect(form).toMatchObject({ status: 415, body: { message: "The request body must be JSON. See /docs/api." } });
  const broken = await ask("POST", "/api/auth/patient/send-otp", { body: "{", headers: { "content-type": "application/json" } });
  expect(broken).toMatchObject({ status: 400, body: { message: "The request body must be JSON. See /docs/api." } });
  const nul = await ask("POST", "/api/auth/patient/send-otp", {
    body: '{"phoneNumber":"98765\\u000043210"}',
    headers: { "content-type": "application/json" },
  });
  expect(nul.status).toBe(400);
  const large = await ask("POST", "/api/auth/patient/send-otp", {
    body: "x".repeat(300_000),
    headers: { "content-type": "application/json" },
  });
  expect(large.status).toBe(413);
});
