import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { MEMBER_ROLES } from "#app/lib/vocabulary.ts";
import { users } from "./accounts.ts";
import { at, createdAt, id } from "./columns.ts";
import { doctors, hospitals } from "./people.ts";
import { ofNoPatient } from "./policy.ts";

/** Their transitions are in places/members/membership.state.ts. */
export const MEMBERSHIP_STATES = ["invited", "active", "suspended", "ended"] as const;
export type MembershipState = (typeof MEMBERSHIP_STATES)[number];

/** A user of the staff of a place (a `hospitals` row), or an invitation to become one. */
export const memberships = pgTable(
  "memberships",
  {
    id: id(),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    /** null while invited: the address may have no account yet. */
    userId: uuid().references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: MEMBER_ROLES }).notNull(),
    /** Doctors that a member acts for. Empty: every doctor of the place. */
    doctorIds: uuid().array().notNull().default(sql`'{}'::uuid[]`),
    state: text({ enum: MEMBERSHIP_STATES }).notNull().default("invited"),
    /** Address and name of the invitation. Cleared when it is over. */
    email: text(),
    name: text().notNull().default(""),
    tokenHash: text(),
    expiresAt: at(),
    invitedBy: uuid().references(() => users.id),
    acceptedAt: at(),
    suspendedAt: at(),
    endedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("memberships_live").on(t.userId, t.hospitalId).where(sql`${t.state} in ('active', 'suspended')`),
    uniqueIndex("memberships_invited").on(t.hospitalId, t.email).where(sql`${t.state} = 'invited'`),
    uniqueIndex("memberships_token").on(t.tokenHash),
    index("memberships_place").on(t.hospitalId, t.state),
    check("memberships_user", sql`(${t.state} in ('active', 'suspended')) <= (${t.userId} is not null)`),
    check(
      "memberships_invitation",
      sql`(${t.state} = 'invited') = (${t.email} is not null and ${t.tokenHash} is not null and ${t.expiresAt} is not null)`,
    ),
  ],
);
ofNoPatient(memberships, {
  columns: {
    email: { clear: "finds the invitation; cleared when it is over" },
    name: { clear: "shown on the invitation; cleared when it is over" },
  },
});

/** Their transitions are in places/members/place-doctor.state.ts. `claimed`: the doctor has to accept; `asked`: the place has to. */
export const PLACE_DOCTOR_STATES = ["claimed", "asked", "active", "ended"] as const;
export type PlaceDoctorState = (typeof PLACE_DOCTOR_STATES)[number];

/** The staff of a place act for this doctor, once both have accepted. */
export const placeDoctors = pgTable(
  "place_doctors",
  {
    id: id(),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    state: text({ enum: PLACE_DOCTOR_STATES }).notNull(),
    acceptedAt: at(),
    endedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("place_doctors_live").on(t.doctorId, t.hospitalId).where(sql`${t.state} <> 'ended'`),
    index("place_doctors_place").on(t.hospitalId, t.state),
  ],
);
ofNoPatient(placeDoctors);
