/** The link of a prescription by SMS, sent to a server of MSG91's format: to patients of the queue only, once, and never stored. */
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { doctors, queueEntries } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { addEntry } from "#app/domains/waiting-room/queue/add-entry.server.ts";
import { msg91 } from "#app/integrations/sms/msg91.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { days } from "#app/lib/durations.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { httpStub } from "../../../../tests/mocks/http-stub.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { signVisit } from "../documents/sign-visit.server.ts";
import { emptyDraft } from "../encounters/draft.ts";
import { saveDraft } from "../encounters/save-draft.server.ts";
import { EMPTY_LINE } from "../medicines/line.ts";
import { findShare, openShare } from "./open-share.server.ts";
import { sendPrescriptionSms } from "./send-prescription-sms.server.ts";
import { sweepShares } from "./shares.server.ts";

const { db, sql, ctx } = testDb();
const DOCTOR = "Dr. Anjali Vemuri";
let doctor: TestDoctor;
let reception: Actor;
let sessionId: string;
beforeAll(async () => {
  ({ doctor, reception } = await makeClinic(db, { doctor: DOCTOR }));
  await db
    .update(doctors)
    .set({ councilName: "APMC", councilNumber: "APMC/1", qualifications: [{ degree: "MBBS", universityCollege: "NTR", year: 2008 }] })
    .where(eq(doctors.id, doctor.id));
  sessionId = await makeSession(db, doctor.id);
});

/** A patient of the queue who is with the doctor. */
async function walkIn(over: { patientId?: string } = {}) {
  const phone = newPhone();
  const { id } = await db.transaction((tx) =>
    addEntry(
      { ...ctx(reception), db: tx as unknown as typeof db },
      {
        session: { id: sessionId, doctorId: doctor.id },
        kind: "walk-in",
        state: "arrived",
        name: `Patient ${phone}`,
        phone,
        patientId: over.patientId ?? null,
        dueAt: new Date(),
      },
    ),
  );
  await sql`update queue_entries set state = 'done', called_at = now(), with_doctor_at = now(), done_at = now() where id = ${id}`;
  return { id, phone };
}
async function sign(visitId: string) {
  const draft = {
    ...emptyDraft("te"),
    patientAge: "40",
    patientGender: "female",
    lines: [{ ...EMPTY_LINE, name: "Paracetamol", morning: "1", days: "5" }],
  };
  const { version } = await saveDraft(ctx(doctor.actor), { visitId, version: 0, draft });
  return signVisit(ctx(doctor.actor), { visitId, version });
}
const jobsOf = async (documentId: string) =>
  (await sql<{ data: { documentId: string } }[]>`select data from pgboss.job where name = 'prescription-sms'`).filter(
    ({ data }) => data.documentId === documentId,
  );
async function deliver(documentId: string, status = 200) {
  await using stub = await httpStub(() => ({ status, body: '{"message":"1","type":"success"}' }));
  const sms = msg91({ authKey: "k", baseUrl: stub.url, templateIds: {} });
  const sending = ctx(null);
  const failed = await sendPrescriptionSms({ ...sending, integrations: { ...sending.integrations, sms } }, documentId).then(
    () => null,
    (error: unknown) => error,
  );
  return {
    sent: stub.seen.map(({ body }) => JSON.parse(String(body)) as { template_id: string; recipients: Record<string, string>[] }),
    failed,
  };
}
const sharesOf = (documentId: string) => sql<{ hash: string; patient: string | null }[]>`
  select secret_hash as hash, patient_id as patient from record_shares where document_id = ${documentId}`;

it("is a link that opens the prescription, in the language of the prescription", async () => {
  const { id, phone } = await walkIn();
  const document = await sign(id);
  expect(await jobsOf(document)).toHaveLength(1);
  const { sent } = await deliver(document);
  const [recipient] = sent[0]!.recipients;
  expect([sent.length, sent[0]!.template_id]).toEqual([1, "nadi-prescription-te"]);
  expect(`+${recipient!.mobiles}`).toBe(phone);
  expect(JSON.stringify(sent)).not.toMatch(/Paracetamol|Patient|Vemuri/);
  const secret = recipient!.secret!;
  expect(await sharesOf(document)).toEqual([{ hash: hashToken(secret), patient: null }]);
  expect((await findShare(ctx(null), secret)).sharedBy).toBe(DOCTOR);
  expect(await openShare(ctx(null), secret)).toMatchObject({
    kind: "signed",
    content: { lines: [{ name: "Paracetamol" }] },
    state: "signed",
  });
  expect(await sql`select actor_id, person_id from audit_log where action = 'read-by-link'`).toEqual([{ actor_id: null, person_id: null }]);
});
it("is deleted 90 days after it expired, and not before", async () => {
  const document = await sign((await walkIn()).id);
  await deliver(document);
  const [{ expires }] = await sql<[{ expires: string }]>`select expires_at as expires from record_shares where document_id = ${document}`;
  await sweepShares(ctx(null, new Date(new Date(expires).getTime() + days(90))));
  expect(await sharesOf(document)).toHaveLength(1);
  await sweepShares(ctx(null, new Date(new Date(expires).getTime() + days(90) + 1)));
  expect(await sharesOf(document)).toEqual([]);
});
it("is not sent to a patient with an appointment, whose account is notified", async () => {
  const visitId = await makeVisit(
    db,
    { patient: await makePatient(db), doctor },
    { status: "accepted", date: dayFromNow(-1), time: "10:00" },
  );
  const document = await sign(visitId);
  expect(await jobsOf(document)).toHaveLength(0);
  expect((await deliver(document)).sent).toEqual([]);
});
it("belongs to the account of a patient of the queue who has one, and follows its settings", async () => {
  const patient = await makePatient(db);
  const { id } = await walkIn({ patientId: patient.id });
  const document = await sign(id);
  expect((await deliver(document)).sent).toEqual([]);
  await sql`insert into user_settings (user_id, chosen) values (${patient.id}, '{"notifications":{"sms":true}}'::jsonb)`;
  const { sent } = await deliver(document);
  expect(await sharesOf(document)).toMatchObject([{ patient: patient.id }]);
  // The account shared nothing, and may be the mother's.
  expect((await findShare(ctx(null), sent[0]!.recipients[0]!.secret)).sharedBy).toBe(DOCTOR);
});
it("is not sent after the patient stopped SMS, or when the prescription is not valid any more", async () => {
  const stopped = await walkIn();
  const document = await sign(stopped.id);
  await db.update(queueEntries).set({ smsStopped: true }).where(eq(queueEntries.id, stopped.id));
  expect((await deliver(document)).sent).toEqual([]);
  const other = await sign((await walkIn()).id);
  await sql`update visit_documents set state = 'cancelled', ended_at = now() where id = ${other}`;
  expect((await deliver(other)).sent).toEqual([]);
  expect(await sharesOf(other)).toEqual([]);
});
it("leaves no link when the SMS could not be sent", async () => {
  const document = await sign((await walkIn()).id);
  const { failed } = await deliver(document, 500);
  expect(failed).toBeInstanceOf(DomainError);
  expect(await sharesOf(document)).toEqual([]);
  expect((await deliver(document)).sent).toHaveLength(1);
});
it.each([
  ["no record", "document_id = null"],
  ["more openings than allowed", "opened = most + 1, last_opened_at = now()"],
  ["more than 31 days", "expires_at = created_at + interval '32 days'"],
  ["an end before its begin", "ended_at = created_at - interval '1 second'"],
])("the database refuses a link with %s", async (_, change) => {
  const [{ id }] = (await sql`select id from record_shares limit 1`) as unknown as [{ id: string }];
  await expect(sql.unsafe(`update record_shares set ${change} where id = $1`, [id])).rejects.toThrow(/record_shares_/);
});
it("is not found by its hash", async () => {
  const [{ hash }] = (await sql`select secret_hash as hash from record_shares limit 1`) as unknown as [{ hash: string }];
  await expect(findShare(ctx(null), hash)).rejects.toMatchObject({ code: "not-found" });
});
