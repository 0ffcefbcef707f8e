/** Places with an owner and members, inserted directly. */
import type { Database } from "#app/db/client.server.ts";
import { type MembershipState, memberships, type PlaceDoctorState, placeDoctors } from "#app/db/schema/index.ts";
import type { Actor } from "#app/domains/context.server.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { makeHospital } from "./cases.ts";
import { makeStaff } from "./people.ts";

/** Makes a user a member of a place; by default a new user of role staff. */
export async function makeMember(
  db: Database,
  hospitalId: string,
  role: MemberRole,
  over: { state?: Exclude<MembershipState, "invited">; actor?: Actor; doctorIds?: string[] } = {},
): Promise<Actor & { memberId: string }> {
  const actor = over.actor ?? (await makeStaff(db, "staff"));
  const [row] = await db
    .insert(memberships)
    .values({ hospitalId, userId: actor.userId, role, state: over.state ?? "active", doctorIds: over.doctorIds ?? [] })
    .returning({ id: memberships.id });
  return { ...actor, memberId: row!.id };
}

/** Inserts a place with an owner. */
export async function makePlace(db: Database) {
  const hospital = await makeHospital(db);
  return { ...hospital, owner: await makeMember(db, hospital.id, "owner") };
}

/** Inserts a doctor of a place, who has worked there for longer than any visit of a test. */
export const addPlaceDoctor = (db: Database, hospitalId: string, doctorId: string, state: PlaceDoctorState = "active") =>
  db.insert(placeDoctors).values({ hospitalId, doctorId, state, acceptedAt: state === "active" ? new Date(0) : null });
