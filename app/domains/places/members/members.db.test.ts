import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, domainEvents, memberships, sessions, users } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { makeAdmin, makeHospital, makeReviewer } from "../../../../tests/factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, makeStaff, newEmail, newPhone } from "../../../../tests/factories/people.ts";
import { codeOf } from "../../../../tests/setup/case-decisions.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { mergeHospitals } from "../../credentials/hospitals/merge-hospitals.server.ts";
import { acceptMembership, declineMembership, getMembershipInvitation } from "./accept-membership.server.ts";
import { mayActFor, requireActing } from "./acting.server.ts";
import { changeMember, editMember, leavePlace, removeOwner } from "./change-member.server.ts";
import { inviteMember, inviteOwner, resendInvitation } from "./invite-member.server.ts";
import { acceptPlace, askPlace, changePlaceDoctor, claimDoctor, claimDoctorByEmail, leaveAsDoctor } from "./place-doctors.server.ts";
import { getPlace, listDoctorPlaces, listOwnPlaces } from "./queries.server.ts";

const { db, sql, ctx } = testDb();
const emailOf = async (userId: string) => (await db.select({ email: users.email }).from(users).where(eq(users.id, userId)))[0]!.email!;
const rowOf = async (id: string) => (await db.select().from(memberships).where(eq(memberships.id, id)))[0]!;
const invitedRow = async (email: string) => (await db.select().from(memberships).where(eq(memberships.email, email)))[0]!;
/** Replaces the link of an invitation by a known one: the email has it only as text. */
async function tokenOf(email: string): Promise<string> {
  const token = randomToken();
  await db
    .update(memberships)
    .set({ tokenHash: hashToken(token) })
    .where(eq(memberships.email, email));
  return token;
}
const account = () => ({ name: "Divya Kolli", phone: newPhone() as Phone, password: "twelve-good-letters" });
const invite = (
  owner: Actor,
  hospitalId: string,
  email = newEmail(),
  role: "owner" | "reception" | "billing" = "reception",
  doctorIds: string[] = [],
) => inviteMember(ctx(owner), { hospitalId, email, role, doctorIds }).then(() => email);
const eventsOf = async (id: string) =>
  (await db.select({ kind: domainEvents.kind }).from(domainEvents).where(eq(domainEvents.subjectId, id)).orderBy(domainEvents.id)).map(
    ({ kind }) => kind,
  );

describe("an invitation", () => {
  it("makes a new user of role staff a member, once, and stores neither link nor address afterwards", async () => {
    const place = await makePlace(db);
    const email = await invite(place.owner, place.id);
    const { id } = await invitedRow(email);
    const token = await tokenOf(email);
    expect(await getMembershipInvitation(ctx(), token)).toMatchObject({
      email,
      place: place.name,
      hasAccount: false,
      memberRole: "reception",
    });
    await acceptMembership(ctx(), { token, account: account() });
    expect(await rowOf(id)).toMatchObject({ state: "active", email: null, tokenHash: null, expiresAt: null, name: "" });
    const [user] = await db.select().from(users).where(eq(users.email, email));
    expect(user).toMatchObject({ role: "staff", staffName: "Divya Kolli", status: "active" });
    expect(await codeOf(acceptMembership(ctx(), { token, account: account() }))).toBe("not-found");
    expect(await eventsOf(id)).toEqual(["membership.invite", "membership.accept"]);
    expect(await listOwnPlaces(ctx({ userId: user!.id, role: "staff" }))).toMatchObject([{ id: place.id, role: "reception" }]);
  });
  it("finds the account of the address in any case of letters, and keeps its role", async () => {
    const place = await makePlace(db);
    const doctor = await makeDoctor(db);
    const { InviteMemberSchema } = await import("./members.schema.ts");
    const { email } = InviteMemberSchema.parse({ email: ` ${doctor.email.toUpperCase()} `, role: "reception" });
    await invite(place.owner, place.id, email);
    await acceptMembership(ctx(), { token: await tokenOf(email) });
    expect(await listOwnPlaces(ctx(doctor.actor))).toHaveLength(1);
    expect(await codeOf(invite(place.owner, place.id, email))).toBe("invalid");
  });
  it("sent twice is one row, and the first link stops working", async () => {
    const place = await makePlace(db);
    const email = await invite(place.owner, place.id);
    const first = await tokenOf(email);
    await invite(place.owner, place.id, email, "billing");
    expect(await codeOf(getMembershipInvitation(ctx(), first))).toBe("not-found");
    const second = await tokenOf(email);
    const { id } = await invitedRow(email);
    await resendInvitation(ctx(place.owner), { hospitalId: place.id, id });
    expect(await codeOf(getMembershipInvitation(ctx(), second))).toBe("not-found");
    expect(await db.$count(memberships, eq(memberships.email, email))).toBe(1);
    expect(await eventsOf(id)).toEqual(["membership.invite"]);
  });
  it("expires after seven days", async () => {
    const place = await makePlace(db);
    const token = await tokenOf(await invite(place.owner, place.id));
    const later = new Date(Date.now() + days(7) + 1000);
    expect(await codeOf(acceptMembership(ctx(null, later), { token, account: account() }))).toBe("not-found");
    expect(await codeOf(getMembershipInvitation(ctx(null, new Date(Date.now() + days(6))), token))).toBe("done");
  });
  it("can be declined, and only the owner's email is refused: administrators and closed accounts", async () => {
    const place = await makePlace(db);
    const email = await invite(place.owner, place.id);
    const { id } = await invitedRow(email);
    await declineMembership(ctx(), await tokenOf(email));
    expect((await rowOf(id)).state).toBe("ended");
    const admin = await makeAdmin(db);
    expect(await codeOf(invite(place.owner, place.id, admin.email))).toBe("invalid");
    const closed = await makeStaff(db, "reviewer");
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, closed.userId));
    expect(await codeOf(invite(place.owner, place.id, await emailOf(closed.userId)))).toBe("invalid");
  });
  it("is refused for doctors who are not of the place", async () => {
    const [place, doctor] = [await makePlace(db), await makeDoctor(db)];
    expect(await codeOf(invite(place.owner, place.id, newEmail(), "reception", [doctor.id]))).toBe("invalid");
    await addPlaceDoctor(db, place.id, doctor.id, "claimed");
    expect(await codeOf(invite(place.owner, place.id, newEmail(), "reception", [doctor.id]))).toBe("invalid");
  });
  it("of an owner is sent by an administrator with a fresh proof", async () => {
    const [hospital, admin, email] = [await makeHospital(db), await makeAdmin(db), newEmail()];
    const old = { ...admin, provenAt: new Date(Date.now() - 3_600_000) };
    expect(await codeOf(inviteOwner(ctx(old), { hospitalId: hospital.id, email }))).toBe("unproven");
    expect(await codeOf(inviteOwner(ctx(await makeReviewer(db)), { hospitalId: hospital.id, email }))).toBe("forbidden");
    await inviteOwner(ctx(admin), { hospitalId: hospital.id, email });
    await acceptMembership(ctx(), { token: await tokenOf(email), account: account() });
    const [owner] = await db.select().from(users).where(eq(users.email, email));
    const { members } = await getPlace(ctx({ userId: owner!.id, role: "staff" }), hospital.id);
    expect(members).toMatchObject([{ role: "owner", state: "active" }]);
    await removeOwner(ctx(admin), { hospitalId: hospital.id, id: members[0]!.id });
    expect(await codeOf(getPlace(ctx({ userId: owner!.id, role: "staff" }), hospital.id))).toBe("not-found");
  });
});

describe("an invitation of a former owner", () => {
  it("ends when the owner is removed, suspended, demoted or leaves, and others stay", async () => {
    for (const how of ["end", "suspend", "demote", "leave"] as const) {
      const place = await makePlace(db);
      const second = await makeMember(db, place.id, "owner");
      const [theirs, mine] = [await invite(second, place.id), await invite(place.owner, place.id)];
      const { id } = await invitedRow(theirs);
      const tokens = [await tokenOf(theirs), await tokenOf(mine)];
      const which = { hospitalId: place.id, id: second.memberId };
      if (how === "leave") await leavePlace(ctx(second), place.id);
      else if (how === "demote") await editMember(ctx(place.owner), { ...which, role: "reception", doctorIds: [] });
      else await changeMember(ctx(place.owner), { ...which, action: how });
      expect(await codeOf(acceptMembership(ctx(), { token: tokens[0]!, account: account() })), how).toBe("not-found");
      expect(await rowOf(id), how).toMatchObject({ state: "ended", email: null, tokenHash: null });
      expect(await eventsOf(id), how).toEqual(["membership.invite", "membership.end"]);
      await acceptMembership(ctx(), { token: tokens[1]!, account: account() });
    }
  });
  it("sent by an administrator stays: the owner did not invite", async () => {
    const place = await makePlace(db);
    const admin = await makeAdmin(db);
    const email = newEmail();
    await inviteOwner(ctx(admin), { hospitalId: place.id, email });
    await removeOwner(ctx(admin), { hospitalId: place.id, id: place.owner.memberId });
    await acceptMembership(ctx(), { token: await tokenOf(email), account: account() });
    expect(
      await listOwnPlaces(ctx({ userId: (await db.select().from(users).where(eq(users.email, email)))[0]!.id, role: "staff" })),
    ).toHaveLength(1);
  });
});

describe("races", () => {
  it("two accepts of one invitation make one account and one member", async () => {
    const place = await makePlace(db);
    const token = await tokenOf(await invite(place.owner, place.id));
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(acceptMembership(ctx(), { token, account: account() }))));
    expect(codes.sort()).toEqual(["done", ...Array.from({ length: 5 }, () => "not-found")]);
    expect(await db.$count(memberships, and(eq(memberships.hospitalId, place.id), eq(memberships.role, "reception")))).toBe(1);
  });
  it("accepting and revoking at once ends in one of the two states", async () => {
    const place = await makePlace(db);
    for (let i = 0; i < 5; i++) {
      const email = await invite(place.owner, place.id);
      const { id } = await invitedRow(email);
      const token = await tokenOf(email);
      const [accepted, revoked] = await Promise.all([
        codeOf(acceptMembership(ctx(), { token, account: account() })),
        codeOf(changeMember(ctx(place.owner), { hospitalId: place.id, id, action: "end" })),
      ]);
      // Revoking after the accept removes the member.
      expect([accepted, revoked]).toSatisfy(([a, r]) => r === "done" && (a === "done" || a === "not-found"));
      expect((await rowOf(id)).state).toBe("ended");
    }
  });
  it("two owners who leave at once: one stays", async () => {
    for (let i = 0; i < 5; i++) {
      const place = await makePlace(db);
      const second = await makeMember(db, place.id, "owner");
      const codes = await Promise.all([place.owner, second].map((owner) => codeOf(leavePlace(ctx(owner), place.id))));
      expect(codes.sort()).toEqual(["conflict", "done"]);
      expect(await db.$count(memberships, and(eq(memberships.hospitalId, place.id), eq(memberships.state, "active")))).toBe(1);
    }
  });
  it("two owners who remove each other at once: one stays", async () => {
    for (let i = 0; i < 5; i++) {
      const place = await makePlace(db);
      const second = await makeMember(db, place.id, "owner");
      const end = (by: Actor, id: string) => codeOf(changeMember(ctx(by), { hospitalId: place.id, id, action: "end" }));
      const codes = await Promise.all([end(place.owner, second.memberId), end(second, place.owner.memberId)]);
      expect(codes.filter((code) => code === "done")).toHaveLength(1);
    }
  });
  it("a place and a doctor who ask each other at once: one request", async () => {
    const [place, doctor] = [await makePlace(db), await makeDoctor(db)];
    const codes = await Promise.all([
      codeOf(claimDoctor(ctx(place.owner), { hospitalId: place.id, doctorId: doctor.id })),
      codeOf(askPlace(ctx(doctor.actor), place.id)),
    ]);
    expect(codes.sort()).toEqual(["conflict", "done"]);
  });
});

describe("a member", () => {
  it("who is suspended or removed is logged out at once; with another place only this one closes", async () => {
    for (const action of ["suspend", "end"] as const) {
      const [place, other] = [await makePlace(db), await makePlace(db)];
      const member = await makeMember(db, place.id, "reception");
      await openSession(ctx(), member, "Test");
      await makeMember(db, other.id, "reception", { actor: member });
      await changeMember(ctx(place.owner), { hospitalId: place.id, id: member.memberId, action });
      expect(await codeOf(getPlace(ctx(member), place.id))).toBe("not-found");
      expect(await db.$count(sessions, eq(sessions.userId, member.userId))).toBe(1);
      const [elsewhere] = await db
        .select({ id: memberships.id })
        .from(memberships)
        .where(and(eq(memberships.userId, member.userId), eq(memberships.hospitalId, other.id)));
      await changeMember(ctx(other.owner), { hospitalId: other.id, id: elsewhere!.id, action });
      expect(await db.$count(sessions, eq(sessions.userId, member.userId))).toBe(0);
    }
  });
  it("can work again after a suspension, and returns after an end by a new invitation", async () => {
    const place = await makePlace(db);
    const member = await makeMember(db, place.id, "reception");
    const change = (action: "suspend" | "resume" | "end") =>
      codeOf(changeMember(ctx(place.owner), { hospitalId: place.id, id: member.memberId, action }));
    expect([await change("suspend"), await change("suspend"), await change("resume"), await change("resume")]).toEqual([
      "done",
      "conflict",
      "done",
      "conflict",
    ]);
    expect([await change("end"), await change("end"), await change("resume")]).toEqual(["done", "conflict", "conflict"]);
    expect(await eventsOf(member.memberId)).toEqual(["membership.suspend", "membership.resume", "membership.end"]);
    const email = await invite(place.owner, place.id, await emailOf(member.userId));
    await acceptMembership(ctx(), { token: await tokenOf(email) });
    expect(await codeOf(getPlace(ctx(member), place.id))).toBe("done");
  });
  it("the only owner cannot leave, be demoted or act on themselves", async () => {
    const place = await makePlace(db);
    const self = { hospitalId: place.id, id: place.owner.memberId };
    expect(await codeOf(leavePlace(ctx(place.owner), place.id))).toBe("conflict");
    expect(await codeOf(editMember(ctx(place.owner), { ...self, role: "reception", doctorIds: [] }))).toBe("conflict");
    expect(await codeOf(changeMember(ctx(place.owner), { ...self, action: "suspend" }))).toBe("conflict");
    // A suspended or closed second owner does not count.
    const second = await makeMember(db, place.id, "owner");
    await db.update(users).set({ status: "disabled" }).where(eq(users.id, second.userId));
    expect(await codeOf(leavePlace(ctx(place.owner), place.id))).toBe("conflict");
  });
  it("acts for the doctors that were chosen, after both sides accepted; audit rows and events name place and doctor", async () => {
    const [place, one, two] = [await makePlace(db), await makeDoctor(db), await makeDoctor(db)];
    const member = await makeMember(db, place.id, "reception", { doctorIds: [one.id] });
    const may = async (doctorId: string) => (await mayActFor(ctx(member), place.id, "change-appointments", doctorId)) !== null;
    expect([await may(one.id), await may(two.id)]).toEqual([false, false]);
    await addPlaceDoctor(db, place.id, one.id);
    await addPlaceDoctor(db, place.id, two.id);
    expect([await may(one.id), await may(two.id), await may("nonsense")]).toEqual([true, false, false]);
    expect(await mayActFor(ctx(member), place.id, "manage-staff")).toBeNull();
    expect(await mayActFor(ctx(member), place.id, "see-takings", one.id)).toBeNull();
    await sql`update doctors set registration_status = 'suspended' where id = ${one.id}`;
    expect(await may(one.id)).toBe(false);
    await sql`update doctors set registration_status = 'verified' where id = ${one.id}`;

    const patient = await makePatient(db);
    const acting = await requireActing(ctx(member), place.id, "change-appointments", one.id);
    const { recordRead: recordAudit } = await import("../../platform/audit/record.server.ts");
    await recordAudit(acting, { action: "read-appointment", subjectType: "appointment", subjectId: randomToken(), personId: patient.id });
    const [row] = await db.select().from(auditLog).where(eq(auditLog.personId, patient.id));
    expect(row).toMatchObject({
      actorId: member.userId,
      actorRole: "staff",
      hospitalId: place.id,
      memberRole: "reception",
      onBehalfOf: one.id,
    });
    const { listOpenings } = await import("../../privacy/own-data/queries.server.ts");
    const { openingWords } = await import("../../privacy/own-data/openings.ts");
    const { rows } = await listOpenings(ctx(patient.actor), null);
    const [name] = await sql<{ name: string }[]>`select full_name as name from doctors where id = ${one.id}`;
    expect(openingWords(rows[0]!)).toContain(`Reception of ${place.name}, for ${name!.name}`);
    const { listAudit } = await import("../../oversight/audit-log/queries.server.ts");
    const log = await listAudit(ctx(await makeAdmin(db)), { person: patient.id });
    expect(log.rows[0]!.details).toEqual(
      expect.arrayContaining([
        { key: "actingPlace", value: place.name },
        { key: "actingDoctor", value: name!.name },
      ]),
    );
  });
  it("writes a change of role or doctors to the audit log once, and no press that changes nothing", async () => {
    const [place, one] = [await makePlace(db), await makeDoctor(db)];
    await addPlaceDoctor(db, place.id, one.id);
    const member = await makeMember(db, place.id, "reception");
    const edit = (role: "reception" | "billing", doctorIds: string[]) =>
      editMember(ctx(place.owner), { hospitalId: place.id, id: member.memberId, role, doctorIds });
    await edit("reception", []);
    await edit("reception", [one.id]);
    await edit("reception", [one.id]);
    await edit("billing", []);
    const rows = await db.select().from(auditLog).where(eq(auditLog.subjectId, member.memberId)).orderBy(auditLog.at);
    const whole = { action: "edit-member", subjectType: "membership", personId: member.userId, actorId: place.owner.userId };
    expect(rows).toMatchObject([
      { ...whole, details: { hospital: place.id, role: "reception", before: "reception", doctors: 1 } },
      { ...whole, details: { hospital: place.id, role: "billing", before: "reception", doctors: 0 } },
    ]);
  });
  it("keeps no access to every doctor when the only chosen one leaves the place", async () => {
    const [place, one, two] = [await makePlace(db), await makeDoctor(db), await makeDoctor(db)];
    for (const { id } of [one, two]) await addPlaceDoctor(db, place.id, id);
    const member = await makeMember(db, place.id, "reception", { doctorIds: [one.id] });
    await leaveAsDoctor(ctx(one.actor), place.id);
    for (const { id } of [one, two]) expect(await mayActFor(ctx(member), place.id, "see-agenda", id)).toBeNull();
  });
});

describe("a doctor at a place", () => {
  it("is asked by the owner and accepts, or declines", async () => {
    const [place, doctor] = [await makePlace(db), await makeDoctor(db)];
    const ask = () => codeOf(claimDoctor(ctx(place.owner), { hospitalId: place.id, doctorId: doctor.id }));
    expect(await codeOf(acceptPlace(ctx(doctor.actor), place.id))).toBe("not-found");
    expect(await ask()).toBe("done");
    expect(await ask()).toBe("conflict");
    expect(await mayActFor(ctx(place.owner), place.id, "see-agenda", doctor.id)).toBeNull();
    expect((await listDoctorPlaces(ctx(doctor.actor))).places).toMatchObject([{ id: place.id, state: "claimed" }]);
    // The owner cannot accept in the doctor's place.
    expect(await codeOf(changePlaceDoctor(ctx(place.owner), { hospitalId: place.id, doctorId: doctor.id, action: "accept-doctor" }))).toBe(
      "conflict",
    );
    await acceptPlace(ctx(doctor.actor), place.id);
    expect(await mayActFor(ctx(place.owner), place.id, "see-agenda", doctor.id)).not.toBeNull();
    await leaveAsDoctor(ctx(doctor.actor), place.id);
    expect(await mayActFor(ctx(place.owner), place.id, "see-agenda", doctor.id)).toBeNull();
    expect(await ask()).toBe("done");
  });
  it("asks a place with an owner, who accepts", async () => {
    const [place, doctor, empty] = [await makePlace(db), await makeDoctor(db), await makeHospital(db)];
    expect(await codeOf(askPlace(ctx(doctor.actor), empty.id))).toBe("not-found");
    await askPlace(ctx(doctor.actor), place.id);
    expect(await codeOf(acceptPlace(ctx(doctor.actor), place.id))).toBe("conflict");
    await changePlaceDoctor(ctx(place.owner), { hospitalId: place.id, doctorId: doctor.id, action: "accept-doctor" });
    expect((await listDoctorPlaces(ctx(doctor.actor))).places).toMatchObject([{ state: "active" }]);
  });
  it("is asked by email with the same response whether the account exists", async () => {
    const [place, doctor] = [await makePlace(db), await makeDoctor(db)];
    const ask = (email: string) => codeOf(claimDoctorByEmail(ctx(place.owner), { hospitalId: place.id, email }));
    expect([await ask(doctor.email), await ask(doctor.email), await ask(newEmail())]).toEqual(["done", "done", "done"]);
    expect((await listDoctorPlaces(ctx(doctor.actor))).places).toHaveLength(1);
  });
});

it("a merged hospital's staff and doctors move with it, suspended where an owner is already, and duplicates end", async () => {
  const [from, into, admin, doctor] = [await makePlace(db), await makePlace(db), await makeAdmin(db), await makeDoctor(db)];
  const both = await makeMember(db, from.id, "reception");
  await makeMember(db, into.id, "billing", { actor: both });
  await invite(from.owner, from.id);
  await addPlaceDoctor(db, from.id, doctor.id);
  await addPlaceDoctor(db, into.id, doctor.id);
  await mergeHospitals(ctx(admin), { id: from.id, into: into.id });
  expect(await codeOf(getPlace(ctx(from.owner), into.id))).toBe("not-found");
  const { members, doctors } = await getPlace(ctx(into.owner), into.id);
  expect(members.map(({ role, state }) => `${role} ${state}`).sort()).toEqual(["billing active", "owner active", "owner suspended"]);
  expect(doctors).toHaveLength(1);
  expect((await rowOf(both.memberId)).state).toBe("ended");
  expect(await db.$count(memberships, and(eq(memberships.hospitalId, into.id), eq(memberships.state, "invited")))).toBe(0);
});
it("a merged hospital's staff stay active where no owner is", async () => {
  const [from, into, admin] = [await makePlace(db), await makePlace(db), await makeAdmin(db)];
  await db.delete(memberships).where(eq(memberships.hospitalId, into.id));
  const email = await invite(from.owner, from.id);
  await mergeHospitals(ctx(admin), { id: from.id, into: into.id });
  const { members } = await getPlace(ctx(from.owner), into.id);
  expect(members.map(({ role, state }) => `${role} ${state}`).sort()).toEqual(["owner active", "reception invited"]);
  expect(await getMembershipInvitation(ctx(), await tokenOf(email))).toMatchObject({ place: into.name });
});
