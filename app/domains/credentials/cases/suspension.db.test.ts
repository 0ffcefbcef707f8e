import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, notifications, sessions } from "#app/db/schema/index.ts";
import { listSuspendedVisits } from "#app/domains/booking/appointments/suspended-visits.server.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { findSession } from "#app/domains/platform/accounts/queries.server.ts";
import { openSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { dayFromNow, makePatient, makeVisit } from "../../../../tests/factories/people.ts";
import { admin, codeOf, ctx, db, eventsOf, reviewer, sql, waiting } from "../../../../tests/setup/case-decisions.ts";
import { reinstateDoctor } from "./reinstate-doctor.server.ts";
import { suspendDoctor } from "./suspend-doctor.server.ts";

describe("suspension", () => {
  test("unlists the doctor, ends the sessions and leaves the visits to the administrator", async () => {
    const it = await waiting({ status: "verified", name: "Dr. Yy Suspended Soon" });
    const patient = await makePatient(db);
    const coming = await makeVisit(db, { patient, doctor: it }, { status: "accepted", date: dayFromNow(3), name: "Coming Person" });
    await makeVisit(db, { patient, doctor: it }, { status: "cancelled", date: dayFromNow(4) });
    const token = await openSession(ctx(), it.actor, "test");
    const find = () => listDoctors(ctx(), { text: "Yy Suspended", near: { latitude: 16.5, longitude: 80.6 }, limit: 5 });
    expect((await find()).total).toBe(1);

    await suspendDoctor(ctx(admin), { doctorId: it.id, reason: "Registration ran out." });
    // Every server process closes the doctor's sockets when it receives this.
    expect(
      await sql`select from live_events where channel = 'nadi_sessions' and payload = ${JSON.stringify({ userId: it.id })}`,
    ).toHaveLength(1);
    expect((await find()).total).toBe(0);
    expect(await db.$count(sessions, eq(sessions.userId, it.id))).toBe(0);
    const { hashToken } = await import("#app/lib/ids.server.ts");
    expect(await findSession(ctx(), hashToken(token))).toBeNull();
    const visits = await listSuspendedVisits(ctx(admin), it.id);
    expect(visits).toMatchObject({ total: 1, rows: [{ id: coming, status: "accepted", patientName: "Coming Person" }] });
    expect(await db.$count(auditLog, and(eq(auditLog.personId, patient.id), eq(auditLog.action, "read-coming-visit")))).toBe(1);
    const [notified] = await db.select().from(notifications).where(eq(notifications.userId, it.id));
    expect([notified?.kind, notified?.params.note]).toEqual(["doctor-suspended", "Registration ran out."]);

    await reinstateDoctor(ctx(admin), { doctorId: it.id });
    expect((await find()).total).toBe(1);
    expect((await eventsOf(it)).map((e) => e.action)).toEqual(["submit", "suspend", "reinstate"]);
  });
  test("suspends verified doctors and reinstates suspended ones, by an administrator and never by the doctor", async () => {
    for (const status of ["draft", "under review by hospital", "pending admin approval", "rejected"] as const) {
      const it = await waiting({ status });
      expect(await codeOf(suspendDoctor(ctx(admin), { doctorId: it.id, reason: "x" })), status).toBe("conflict");
      expect(await codeOf(reinstateDoctor(ctx(admin), { doctorId: it.id })), status).toBe("conflict");
    }
    const it = await waiting({ status: "verified" });
    expect(await codeOf(suspendDoctor(ctx(reviewer), { doctorId: it.id, reason: "x" }))).toBe("forbidden");
    expect(await codeOf(suspendDoctor(ctx(it.actor), { doctorId: it.id, reason: "x" }))).toBe("forbidden");
    const suspended = await waiting({ status: "suspended" });
    expect(await codeOf(reinstateDoctor(ctx(suspended.actor), { doctorId: suspended.id }))).toBe("forbidden");
    await db.execute(`update users set phone = '${suspended.phone}' where id = '${admin.userId}'`);
    try {
      expect(await codeOf(reinstateDoctor(ctx(admin), { doctorId: suspended.id }))).toBe("forbidden");
    } finally {
      await db.execute(`update users set phone = '${admin.phone}' where id = '${admin.userId}'`);
    }
  });
});
