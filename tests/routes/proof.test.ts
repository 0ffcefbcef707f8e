/**
 * Step-up: each sensitive action of GUARDED_ACTIONS is refused without a fresh proof, on its page and in the API, and works
 * after one. A new action of the list fails here until it is declared how to try it.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { imports, users } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { GUARDED_ACTIONS, type GuardedAction } from "#app/domains/platform/accounts/proof.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { ApiClient } from "../api/client.ts";
import { tokenFor } from "../api/people.ts";
import { Authenticator } from "../factories/authenticator.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeCase, makeHospital, makeReviewer } from "../factories/cases.ts";
import { confirmIdentity, pressContinue, proveDoctorPhone } from "../factories/logins.ts";
import { makePatient, newEmail, newPhone } from "../factories/people.ts";
import { picture } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { gatewayEnv } from "../setup/gateway.ts";
import { Browser, type Fields } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  // A payout account needs a provider. This one is down.
  server = await startServer({ seed: false, env: gatewayEnv({ url: "http://127.0.0.1:9" }) });
});
afterAll(() => server?.stop());

type Who = Browser & { userId: string; phone: string };
/** How to try an action: which user posts what to which path. `page`: a GET of it requires the proof first. */
type Attempt = { who: Who; page: string; asksFirst: boolean; post: Fields | null; after: string; done: () => Promise<boolean> };

const admin = async (proven = false): Promise<Who> => {
  const made = await makeAdmin(server.db);
  return Object.assign(await loginAs(server, { role: "admin", email: made.email }, { proven }), { phone: made.phone });
};
const logged = async (action: string, id: string) =>
  (await server.sql`select from audit_log where action = ${action} and (subject_id = ${id} or person_id::text = ${id})`).length > 0;
const doctorCase = (status: "verified" | "suspended" | "pending admin approval" | "rejected") =>
  makeCase(server.db, { key: DEMO_KEY, status });
const statusIs = async (id: string, status: string) =>
  (await server.sql`select from doctors where id = ${id} and registration_status = ${status}`).length > 0;
const userIs = async (id: string, status: string) =>
  (await server.sql`select from users where id = ${id} and status = ${status}`).length > 0;

const BANK = { bankName: "New Bank", bankBranch: "Guntur", accountHolderName: "Proof Doctor", ifscCode: "NEWB0001234" };
/** Returns the profile form of this doctor as the page shows it, with these changes. */
async function profileForm(doctor: Browser, changed: Fields): Promise<Fields> {
  const { text } = await doctor.get("/doctor/profile/edit");
  const fields: Fields = {};
  for (const [, attributes = ""] of text.matchAll(/<input\b([^>]*)>/g)) {
    const [, name] = /\bname="([^"]+)"/.exec(attributes) ?? [];
    const [, value = ""] = /\bvalue="([^"]*)"/.exec(attributes) ?? [];
    if (name && !/type="(file|checkbox|radio)"/.test(attributes)) fields[name] = value;
  }
  return { gender: "female", category: "General", about: "Lungs.", ...fields, ...changed };
}
async function bankDoctor() {
  const it = await doctorCase("verified");
  await server.sql`update doctors set gender = 'female', date_of_birth = '1985-04-12', experience_years = 9,
    languages = '{English}', about = 'Lungs.' where id = ${it.id}`;
  return { it, who: Object.assign(await loginAs(server, { role: "doctor", email: it.email }, { proven: false }), { phone: it.phone }) };
}
async function bankChange(doctor: { id: string; email: string; phone: string }): Promise<string> {
  const proven = await loginAs(server, { role: "doctor", email: doctor.email });
  const answer = await proven.post("/doctor/profile/edit", await profileForm(proven, { ...BANK, accountNumber: "99887766554" }));
  expect(answer.status, readable(answer.text)).toBe(303);
  const [change] = await server.sql<{ id: string }[]>`select id from profile_changes where doctor_id = ${doctor.id} and status = 'pending'`;
  return change!.id;
}
async function credentialOf(who: Browser): Promise<string> {
  const answer = await who.post("/passkey-options", { purpose: "add" });
  return answer.status === 200 ? new Authenticator(server.url).create(JSON.parse(answer.text).options) : "{}";
}

const ATTEMPTS: Record<GuardedAction, () => Promise<Attempt>> = {
  "reveal-number": async () => {
    const [it, who] = [await doctorCase("pending admin approval"), await admin()];
    const page = `/admin/doctors/${it.id}/reveal/pan`;
    return { who, page, asksFirst: true, post: { reason: "To compare it." }, after: page, done: () => logged("reveal-number", it.id) };
  },
  "reveal-changed-account": async () => {
    const { it } = await bankDoctor();
    const page = `/admin/changes/${await bankChange(it)}/reveal`;
    return {
      who: await admin(),
      page,
      asksFirst: true,
      post: { reason: "To call the bank." },
      after: page,
      done: () => logged("reveal-number", it.id),
    };
  },
  "suspend-doctor": async () => {
    const it = await doctorCase("verified");
    const page = `/admin/doctors/${it.id}/suspend`;
    return {
      who: await admin(),
      page,
      asksFirst: true,
      post: { reason: "A complaint." },
      after: page,
      done: () => statusIs(it.id, "suspended"),
    };
  },
  "reinstate-doctor": async () => {
    const it = await doctorCase("suspended");
    const page = `/admin/doctors/${it.id}/reinstate`;
    return { who: await admin(), page, asksFirst: true, post: { note: "Settled." }, after: page, done: () => statusIs(it.id, "verified") };
  },
  "disable-user": async () => {
    const { id } = await makePatient(server.db);
    const page = `/admin/users/${id}`;
    const post = { intent: "disable", reason: "Asked for it." };
    return { who: await admin(), page, asksFirst: false, post, after: page, done: () => userIs(id, "disabled") };
  },
  "enable-user": async () => {
    const { id } = await makePatient(server.db);
    await server.sql`update users set status = 'disabled' where id = ${id}`;
    const page = `/admin/users/${id}`;
    return { who: await admin(), page, asksFirst: false, post: { intent: "enable" }, after: page, done: () => userIs(id, "active") };
  },
  "invite-reviewer": async () => {
    const [{ id }, email] = [await makeHospital(server.db), newEmail()];
    const page = `/admin/hospitals/${id}`;
    const done = async () => (await server.sql`select from reviewer_invitations where email = ${email}`).length > 0;
    return {
      who: await admin(),
      page,
      asksFirst: false,
      post: { intent: "invite", email, name: "Sister Grace", language: "te" },
      after: page,
      done,
    };
  },
  "invite-member": async () => {
    const [{ id }, email] = [await makeHospital(server.db), newEmail()];
    const { who } = await bankDoctor();
    await server.sql`insert into memberships (hospital_id, user_id, role, state) values (${id}, ${who.userId}, 'owner', 'active')`;
    const done = async () => (await server.sql`select from memberships where email = ${email}`).length > 0;
    const post = { email, name: "Sister Grace", role: "reception", language: "te" };
    return { who, page: `/clinic/${id}/invite`, asksFirst: true, post, after: `/clinic/${id}/invite`, done };
  },
  "manage-webhook": async () => {
    const { id } = await makeHospital(server.db);
    const { who } = await bankDoctor();
    await server.sql`insert into memberships (hospital_id, user_id, role, state) values (${id}, ${who.userId}, 'owner', 'active')`;
    const done = async () => (await server.sql`select from webhook_endpoints where hospital_id = ${id}`).length > 0;
    const page = `/clinic/${id}/webhooks/add`;
    const post = { url: "https://example.com/nadi", label: "", subjects: "appointment" };
    return { who, page, asksFirst: true, post, after: page, done };
  },
  "import-data": async () => {
    const { id } = await makeHospital(server.db);
    const { who } = await bankDoctor();
    await server.sql`insert into memberships (hospital_id, user_id, role, state) values (${id}, ${who.userId}, 'owner', 'active')`;
    const reading = { fileName: "a.csv", sheets: [], sheet: null, columns: [], ask: null };
    const importId = randomUUID();
    await server.db.insert(imports).values({
      ...{ id: importId, hospitalId: id, kind: "patients", state: "done", createdBy: who.userId, finishedAt: new Date() },
      ...{ reading: sealed(imports.reading, importId, reading), rowCount: 0, columnCount: 0 },
    });
    const page = `/clinic/${id}/import/${importId}`;
    const done = async () => (await server.sql`select from imports where id = ${importId} and state <> 'done'`).length > 0;
    return { who, page, asksFirst: false, post: { intent: "undo" }, after: page, done };
  },
  "export-data": async () => {
    const { id } = await makeHospital(server.db);
    const { who } = await bankDoctor();
    await server.sql`insert into memberships (hospital_id, user_id, role, state) values (${id}, ${who.userId}, 'owner', 'active')`;
    const page = `/clinic/${id}/export`;
    const done = async () => (await server.sql`select from clinic_exports where hospital_id = ${id}`).length > 0;
    return { who, page, asksFirst: true, post: { kind: "patients", format: "csv" }, after: page, done };
  },
  "export-log": async () => {
    const who = await admin();
    // A download does not replace its page, so the proof leads to the page.
    const [page, after] = ["/admin/audit.csv?action=log-in", "/admin/audit?action=log-in"];
    return { who, page, asksFirst: true, post: null, after, done: () => logged("export-log", who.userId) };
  },
  "change-bank-account": async () => {
    const { it, who } = await bankDoctor();
    const page = "/doctor/profile/edit";
    const post = await profileForm(who, { ...BANK, accountNumber: "12345678901" });
    return {
      who,
      page,
      asksFirst: false,
      post,
      after: page,
      done: async () => (await server.sql`select from profile_changes where doctor_id = ${it.id}`).length > 0,
    };
  },
  "approve-bank-account": async () => {
    const { it } = await bankDoctor();
    const id = await bankChange(it);
    const page = `/admin/changes/${id}`;
    const done = async () => (await server.sql`select from profile_changes where id = ${id} and status = 'approved'`).length > 0;
    return { who: await admin(), page, asksFirst: false, post: { intent: "approve" }, after: page, done };
  },
  "change-payout-account": async () => {
    const { id } = await makeHospital(server.db);
    const { who } = await bankDoctor();
    await server.sql`insert into memberships (hospital_id, user_id, role, state) values (${id}, ${who.userId}, 'owner', 'active')`;
    const page = `/clinic/${id}/payout-account/change`;
    const post = {
      name: "Proof Clinic",
      businessType: "proprietorship",
      pan: "ABCDE1234F",
      street: "4 Ring Road",
      city: "Guntur",
      state: "Andhra Pradesh",
      pinCode: "522001",
      holder: "Proof Clinic",
      account: "998877665544",
      ifsc: "HDFC0000317",
      agreed: "on",
    };
    const done = async () => (await server.sql`select from payout_accounts where merchant_id = ${id}`).length > 0;
    return { who, page, asksFirst: true, post, after: page, done };
  },
  "add-passkey": async () => {
    const who = await admin(true);
    const post = { name: "My phone", credential: await credentialOf(who) };
    await server.sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${who.userId}`;
    const page = "/account/security/passkeys/add";
    return {
      who,
      page,
      asksFirst: true,
      post,
      after: page,
      done: async () => (await server.sql`select from passkeys where user_id = ${who.userId}`).length > 0,
    };
  },
  "remove-passkey": async () => {
    const who = await admin();
    await server.sql`update users set password_hash = 'a hash' where id = ${who.userId}`;
    const [row] = await server.sql<{ id: string }[]>`insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
      values (${who.userId}, ${who.userId}, 'k', 0, '{}', 'Old phone') returning id`;
    const page = `/account/security/passkeys/${row!.id}/remove`;
    return {
      who,
      page,
      asksFirst: true,
      post: {},
      after: page,
      done: async () => !(await server.sql`select from passkeys where id = ${row!.id}`).length,
    };
  },
};

const confirmOf = (page: string) => `/confirm-identity?next=${encodeURIComponent(page)}`;

describe.each(GUARDED_ACTIONS)("%s", (action) => {
  it("is refused without a fresh proof, and works after a code", async () => {
    const { who, page, asksFirst, post, after, done } = await ATTEMPTS[action]();
    const opened = await who.get(page);
    if (asksFirst) expect([opened.status, opened.location]).toEqual([303, confirmOf(after)]);
    else expect(opened.status).toBe(200);
    if (asksFirst) expect((await who.get(page.replace(/(\?|$)/, ".data$1"))).text).not.toContain("last4");
    if (post) {
      const refused = await who.post(page, post);
      expect([refused.status, refused.location]).toEqual([303, confirmOf(page)]);
      expect((await who.post(`${page}.data`, post)).status).toBe(202);
    }
    expect(await done()).toBe(false);

    const confirmed = await confirmIdentity(server, who, who.phone, after);
    expect([confirmed.status, confirmed.location]).toEqual([303, after]);
    expect(await logged("confirm-identity", who.userId)).toBe(true);
    const again = post ? await who.post(page, post) : await who.get(page);
    expect([200, 303], readable(again.text)).toContain(again.status);
    expect(again.location ?? "").not.toContain("confirm-identity");
    expect(await done()).toBe(true);
  });
});

it("the rows of an import are downloaded after a fresh proof, which leads to the import", async () => {
  const { who, page } = await ATTEMPTS["import-data"]();
  const refused = await who.get(`${page}/rows.csv?group=new`);
  expect([refused.status, refused.location]).toEqual([303, confirmOf(`${page}?group=new`)]);
  await confirmIdentity(server, who, who.phone, page);
  expect((await who.get(`${page}/rows.csv`)).status).toBe(200);
});

describe("a form whose proof expired", () => {
  it.each(["reveal-number", "suspend-doctor", "disable-user", "invite-reviewer", "change-bank-account"] as const)(
    "is filled in again after the proof: %s",
    async (action) => {
      const { who, page, post } = await ATTEMPTS[action]();
      await who.post(page, post!);
      const back = await who.follow(await confirmIdentity(server, who, who.phone, page));
      expect(back.status).toBe(200);
      const typed = {
        "reveal-number": "To compare it.",
        "suspend-doctor": "A complaint.",
        "disable-user": "Asked for it.",
        "invite-reviewer": "Sister Grace",
        "change-bank-account": "12345678901",
      }[action];
      expect(back.text).toContain(typed);
      // It is deleted when the form is sent.
      expect([200, 303]).toContain((await who.post(page, post!)).status);
      expect((await server.sql`select unsent_form from sessions where user_id = ${who.userId}`)[0]!.unsent_form).toBeNull();
    },
  );

  it("is stored encrypted, opens on its own page only, and for thirty minutes", async () => {
    const { who, page, post } = await ATTEMPTS["change-bank-account"]();
    await who.post(page, post!);
    const [row] = await server.sql<{ unsent_form: string }[]>`select unsent_form from sessions where user_id = ${who.userId}`;
    expect(row!.unsent_form).not.toContain("12345678901");
    expect((await who.get(page)).text).toContain("12345678901");
    expect((await who.get("/doctor/profile-view")).text).not.toContain("12345678901");
    server.clock.advance(30 * 60_000);
    expect((await who.get(page)).text).not.toContain("12345678901");
  });
});

describe("PUT /api/doctor/profile", () => {
  const app = async () => {
    const { it } = await bankDoctor();
    const client = await ApiClient.of(server.url, await tokenFor(server, it.id));
    const changes = async () => (await server.sql`select from profile_changes where doctor_id = ${it.id} and field = 'bank'`).length;
    return { it, client, changes };
  };
  const bankingInfo = [{ ...BANK, accountNumber: "12345678901" }];

  it("needs no proof while the bank account is unchanged", async () => {
    const { client } = await app();
    const own = await client.send("getProfile");
    const { bankingInfo: same } = own.body as { bankingInfo: (typeof bankingInfo)[number][] };
    expect((await client.send("saveOwnProfile", { body: { about: "Heart.", bankingInfo: same } })).status).toBe(200);
    expect((await client.send("saveOwnProfile", { body: { about: "Lungs again." } })).status).toBe(200);
  });

  it("answers 403 when it changes without a fresh proof, and saves nothing", async () => {
    const { it, client, changes } = await app();
    const refused = await client.send("saveOwnProfile", { body: { about: "Not saved.", bankingInfo } });
    expect([refused.status, refused.body]).toEqual([403, { success: false, message: "Confirm it's you, then try again." }]);
    expect(await changes()).toBe(0);
    expect((await server.sql`select about from doctors where id = ${it.id}`)[0]!.about).toBe("Lungs.");
  });

  it("accepts a fresh code, which counts for that token for five minutes", async () => {
    const { it, client, changes } = await app();
    const sent = await client.send("sendProofOtp");
    expect(sent.status, sent.text).toBe(200);
    const { challengeId } = sent.body as { challengeId: string };
    const code = await server.lastCode(it.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    for (const proof of [
      { challengeId, code: wrong },
      { challengeId: "nonsense", code },
      { challengeId, code: "12" },
    ])
      expect((await client.send("saveOwnProfile", { body: { bankingInfo, proof } })).status, JSON.stringify(proof)).toBe(400);
    expect(await changes()).toBe(0);
    const body = { bankingInfo, proof: { challengeId, code } };
    expect((await client.send("saveOwnProfile", { body })).body).toMatchObject({ success: true, waiting: ["bank"] });
    // Sent again, as a phone does after a lost response.
    expect((await client.send("saveOwnProfile", { body })).status).toBe(200);
    const later = { bankingInfo: [{ ...BANK, accountNumber: "55555555555" }] };
    expect((await client.send("saveOwnProfile", { body: later })).status).toBe(200);
    server.clock.advance(5 * 60_000);
    expect((await client.send("saveOwnProfile", { body: { bankingInfo } })).status).toBe(403);
  });

  it("refuses a code that another token of the same doctor requested", async () => {
    const { it, client, changes } = await app();
    const other = client.as(await tokenFor(server, it.id));
    const { challengeId } = (await other.send("sendProofOtp")).body as { challengeId: string };
    const proof = { challengeId, code: await server.lastCode(it.phone) };
    expect((await client.send("saveOwnProfile", { body: { bankingInfo, proof } })).status).toBe(400);
    expect(await changes()).toBe(0);
  });
});

describe("GET /api/exports/{id}/file", () => {
  it("asks for a new proof five minutes after the last one, as the page does, and answers after it", async () => {
    const { it, who } = await bankDoctor();
    const client = await ApiClient.of(server.url, await tokenFor(server, it.id));
    const prove = async () => {
      const { challengeId } = (await client.send("sendProofOtp")).body as { challengeId: string };
      return { challengeId, code: await server.lastCode(it.phone) };
    };
    const asked = await client.send("createExport", { body: { kind: "patients", format: "csv", proof: await prove() } });
    const { id } = (asked.body as { export: { id: string } }).export;
    const params = { id };
    await vi.waitUntil(
      async () => ((await client.send("getExportStatus", { params })).body as { export: { isReady: boolean } }).export.isReady,
      { timeout: 20_000 },
    );
    expect((await client.send("downloadExport", { params })).status).toBe(200);

    server.clock.advance(5 * 60_000);
    const late = await client.send("downloadExport", { params });
    expect([late.status, late.body]).toEqual([403, { success: false, message: "Confirm it's you, then try again." }]);
    const page = await who.get(`/doctor/export/${id}/file`);
    expect([page.status, page.location]).toEqual([303, `/confirm-identity?next=${encodeURIComponent("/doctor/export")}`]);

    const { challengeId, code: otp } = await prove();
    const other = client.as(await tokenFor(server, it.id));
    expect((await other.send("verifyProofOtp", { body: { challengeId, otp } })).status).toBe(400);
    expect((await client.send("downloadExport", { params })).status).toBe(403);
    expect((await client.send("verifyProofOtp", { body: { challengeId, otp } })).status).toBe(200);
    expect((await client.send("downloadExport", { params })).status).toBe(200);
  });
});

describe("POST /api/doctor/verify-doctor for a rejected application", () => {
  it("answers 403 for another bank account without a fresh proof, and stores nothing of the call", async () => {
    const it = await doctorCase("rejected");
    const client = await ApiClient.of(server.url, await tokenFor(server, it.id));
    const stored = () =>
      server.sql`select d.registration_status as status, d.about, b.account_last4 as last4, (select count(*)::int from files where owner_id = d.id) as files
        from doctors d left join doctor_bank_accounts b on b.doctor_id = d.id where d.id = ${it.id}`;
    const before = await stored();
    const body = {
      ...{ hospital_hospitalName: "Lotus Clinic", hospital_address: "12 Brodipet, Guntur", hospital_contact: "0863 223 4567" },
      ...{ hospital_isManualEntry: "true", fullName: "Dr. Again", gender: "Male", dateOfBirth: "1985-03-14T00:00:00.000Z" },
      ...{
        medicalCouncilRegistrationNumber: "APMC/AGAIN",
        medicalCouncilName: "Andhra Pradesh Medical Council",
        yearOfRegistration: "2010",
      },
      ...{
        primarySpecialization: "Cardiologist",
        experienceYears: "12",
        consultationFee: "500",
        about: "Changed.",
        languages: '["English"]',
      },
      ...{ location: '{"city":"Guntur","state":"Andhra Pradesh"}', qualifications: '[{"degree":"MBBS"}]', bank_bankName: "SBI" },
      ...{ bank_accountNumber: "77777777777", bank_ifscCode: "SBIN0001234", bank_accountHolderName: "D", bank_bankBranch: "Guntur" },
    };
    const photo = { profileImage: [[await picture(), "me.jpg"]] as [Blob, string][] };
    const refused = await client.send("verifyDoctor", { query: { doctorId: it.id }, body: body as never, files: photo });
    expect([refused.status, (refused.body as { message: string }).message], refused.text).toEqual([
      403,
      "Confirm it's you, then try again.",
    ]);
    expect(await stored()).toEqual(before);
  });
});

describe("/confirm-identity", () => {
  it("sends a code when others used up the limits of the phone and the address", async () => {
    const who = await admin();
    for (const limit of ["otp-send-gap", "otp-send", "otp-send-day", "otp-guess", "otp-guess-day"])
      await server.sql`insert into rate_limits (key, at) select ${`${limit}:${hashToken(who.phone)}`}, now() from generate_series(1, 50)`;
    expect((await confirmIdentity(server, who, who.phone, "/admin")).location).toBe("/admin");
    await server.sql`update sessions set proven_at = null where user_id = ${who.userId}`;
    const more = await who.post("/confirm-identity", { intent: "send" });
    expect([more.status, more.location]).toEqual([429, null]);
  });

  it("redirects to no other site and not to itself", async () => {
    for (const next of [
      "https://evil.test/",
      "//evil.test",
      "/\\evil.test",
      "javascript:alert(1)",
      "/confirm-identity?next=/admin",
      "",
      "/.//evil.test",
    ]) {
      const who = await admin();
      const confirmed = await confirmIdentity(server, who, who.phone, next);
      expect([confirmed.status, confirmed.location], next).toEqual([303, "/admin"]);
    }
  });

  it("continues at once when the proof is fresh", async () => {
    const who = await admin(true);
    expect((await who.get("/confirm-identity?next=%2Fadmin%2Fusers")).location).toBe("/admin/users");
  });

  it("refuses a wrong code, a code of another session, and a code used twice", async () => {
    const who = await admin();
    await who.post("/confirm-identity", { intent: "send" });
    const code = await server.lastCode(who.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const refused = await who.post("/confirm-identity", { intent: "verify", otp: wrong });
    expect([refused.status, readable(refused.text)]).toEqual([400, expect.stringContaining("OTP verification failed")]);

    const [row] = await server.sql<{ email: string }[]>`select email from users where id = ${who.userId}`;
    const stolen = await loginAs(server, { role: "admin", email: row!.email }, { proven: false });
    stolen.cookies.set("nadi_otp_confirm", who.cookies.get("nadi_otp_confirm")!);
    expect((await stolen.post("/confirm-identity", { intent: "verify", otp: code })).status).toBe(400);

    const challenge = who.cookies.get("nadi_otp_confirm")!;
    expect((await who.post("/confirm-identity", { intent: "verify", otp: code })).status).toBe(303);
    await server.sql`update sessions set proven_at = null where user_id = ${who.userId} and token_hash = ${hashToken(who.cookies.get("nadi_session")!)}`;
    who.cookies.set("nadi_otp_confirm", challenge);
    expect((await who.post("/confirm-identity", { intent: "verify", otp: code })).status).toBe(400);
    const proven = await server.sql`select from sessions where user_id = ${who.userId} and proven_at > now() - interval '1 hour'`;
    expect(proven).toHaveLength(0);
  });

  it("shows the last digits of the phone only", async () => {
    const reviewer = await makeReviewer(server.db);
    const who = await loginAs(server, { role: "reviewer", email: reviewer.email }, { proven: false });
    const text = readable((await who.get("/confirm-identity")).text);
    expect(text).toContain(`•••• ${reviewer.phone.slice(-4)}`);
    expect(text.replace(/\s/g, "")).not.toContain(reviewer.phone.slice(3));
  });

  it("is refused to patients", async () => {
    const { phone } = await makePatient(server.db);
    expect((await (await loginAs(server, { role: "patient", phone })).get("/confirm-identity")).location).toBe("/patient-dashboard");
  });
});

it("counts a login with password and code as a proof, for five minutes", async () => {
  const password = "a-good-password";
  const [email, phone] = [newEmail(), newPhone()];
  const passwordHash = await hashPassword(password);
  await server.db.insert(users).values({ role: "admin", email, phone, passwordHash });
  const browser = new Browser(server.url);
  await proveDoctorPhone(server, browser, { email, password, mobile: phone });
  expect((await pressContinue(browser)).location).toBe("/admin");
  expect((await browser.get("/admin/audit.csv")).status).toBe(200);
  server.clock.advance(5 * 60_000);
  expect((await browser.get("/admin/audit.csv")).location).toBe(confirmOf("/admin/audit"));
});
