/**
 * Which doctors and hospitals are listed publicly (visible, published): the directory shows them and patients can book them. Others are not found. The SQL forms contain
 * the value instead of a parameter, because PostgreSQL uses the partial indexes of listed rows only where the query has the same
 * text.
 */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";

type Column = AnyPgColumn | SQL;

/** Returns true for a doctor who is verified and not suspended. */
export const isListedDoctor = (doctor: { registrationStatus: RegistrationStatus }) => doctor.registrationStatus === "verified";
/** SQL form of isListedDoctor. */
export const listedDoctor = (t: { registrationStatus: Column }) => sql<boolean>`${t.registrationStatus} = 'verified'`;

/** SQL: true for a hospital that an administrator has confirmed, not refused or merged. */
export const listedHospital = (t: { status: Column }) => sql<boolean>`${t.status} = 'active'`;
