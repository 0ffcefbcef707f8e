/** Rows of one patient, doctor and place, and the staff of two places, for the matrix of tests/routes/access.test.ts. */
import type { Actor } from "#app/domains/context.server.ts";
import { makeReviewer } from "../factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { dayFromNow, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { makePractice } from "../factories/practices.ts";
import { type LoggedIn, loginAs } from "./people.ts";
import type { TestServer } from "./server.ts";

export const MEMBERS = ["owner", "reception", "billing", "endedMember", "suspendedMember", "otherOwner", "otherReception"] as const;
export type MemberName = (typeof MEMBERS)[number];
/** Name of a receptionist of the place, for pages that must not show it. */
export const STAFF_SECRET = "Secretia Receptionova";

/**
 * Inserts what the patient, the doctor and the place of the matrix own. Text of the patient contains `secret`. `ids` are by kind: a new kind of
 * row with a page of its own belongs here.
 */
export async function makeAccessWorld(
  server: TestServer,
  { patient, doctor, secret }: { patient: Person; doctor: TestDoctor; secret: string },
) {
  const { db, sql } = server;
  const [place, other] = [await makePlace(db), await makePlace(db)];
  await addPlaceDoctor(db, place.id, doctor.id);
  const emailOf = async (id: string) => (await sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  const login = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
  const member = await makeMember(db, place.id, "reception");
  await sql`update users set staff_name = ${STAFF_SECRET} where id = ${member.userId}`;
  const browsers: Record<MemberName, LoggedIn> = {
    owner: await login(place.owner),
    reception: await login(await makeMember(db, place.id, "reception")),
    billing: await login(await makeMember(db, place.id, "billing")),
    endedMember: await login(await makeMember(db, place.id, "owner", { state: "ended" })),
    suspendedMember: await login(await makeMember(db, place.id, "owner", { state: "suspended" })),
    otherOwner: await login(other.owner),
    otherReception: await login(await makeMember(db, other.id, "reception")),
  };
  const reviewer = await makeReviewer(db, place);
  const completed = await makeVisit(
    db,
    { patient, doctor },
    { status: "completed", date: dayFromNow(-3), time: "10:00", name: secret, completedAt: new Date() },
  );
  const one = async (rows: PromiseLike<Iterable<unknown>>) => ([...(await rows)][0] as { id: string }).id;
  const ids = {
    place: place.id,
    member: member.memberId,
    doctor: doctor.id,
    completed,
    practice: (await makePractice(db, doctor.id, { hospitalId: place.id })).id,
    leave: await one(
      sql`insert into leaves (doctor_id, "from", until) values (${doctor.id}, ${dayFromNow(20)}, ${dayFromNow(21)}) returning id`,
    ),
    family: await one(sql`insert into family_members (patient_id, name, relation, gender, age, age_on)
      values (${patient.id}, ${secret}, 'child', 'male', 7, current_date) returning id`),
    review: await one(sql`insert into reviews (appointment_id, patient_id, doctor_id, rating, status)
      values (${completed}, ${patient.id}, ${doctor.id}, 4, 'shown') returning id`),
    passkey: await one(sql`insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
      values (${doctor.id}, ${doctor.id}, 'k', 0, '{}', ${secret}) returning id`),
  };
  return { browsers, ids, placeName: place.name, reviewer: await login(reviewer) };
}
