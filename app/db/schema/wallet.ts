import { sql } from "drizzle-orm";
import { bigint, bigserial, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { appointments } from "./appointments.ts";
import { at, createdAt, id } from "./columns.ts";
import { patients } from "./people.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

/** Kinds of ledger rows: points of a mission, their reversal, points spent on an offer, a gift (demo data only). */
export const WALLET_ENTRY_KINDS = ["mission", "reversal", "offer", "demo"] as const;
export type WalletEntryKind = (typeof WALLET_ENTRY_KINDS)[number];

/**
 * The ledger of points. Append-only: a trigger refuses update and delete, another adds each row to `wallets` in the same
 * transaction.
 */
export const walletEntries = pgTable(
  "wallet_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id),
    kind: text({ enum: WALLET_ENTRY_KINDS }).notNull(),
    /** The key of the mission or offer in patients/wallet. */
    about: text().notNull(),
    /** How often the mission was reversed before. A reversal has the round of its mission. */
    round: integer().notNull().default(0),
    /** Positive: earned. Negative: spent or reversed. */
    points: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("wallet_entries_patient").on(t.patientId, t.id),
    uniqueIndex("wallet_entries_mission_once").on(t.patientId, t.about, t.round).where(sql`${t.kind} = 'mission'`),
    uniqueIndex("wallet_entries_reversal_once").on(t.patientId, t.about, t.round).where(sql`${t.kind} = 'reversal'`),
    check("wallet_entries_sign", sql`${t.points} <> 0 and (${t.kind} in ('offer', 'reversal')) = (${t.points} < 0)`),
  ],
);
ofPatients(walletEntries, {
  section: "points",
  owner: "patientId",
  may: ["SELECT", "INSERT"],
  stays: {
    ...shown("id kind about points"),
    ...hidden("patientId round"),
    createdAt: "at",
  },
  why: "an append-only ledger without names",
});

/** The balance of a patient's ledger, updated by the ledger's trigger. A check refuses a negative balance. */
export const wallets = pgTable(
  "wallets",
  {
    patientId: uuid()
      .primaryKey()
      .references(() => patients.id),
    balance: integer().notNull().default(0),
  },
  (t) => [check("wallets_not_negative", sql`${t.balance} >= 0`)],
);
ofPatients(wallets, {
  section: "points",
  owner: "patientId",
  // Written only by a trigger of the ledger.
  may: ["SELECT"],
  stays: hidden("patientId balance"),
  why: "an append-only ledger without names",
});

/** A discount code, bought with points. Ready while no appointment uses it; cancelling the appointment returns it. */
export const walletCodes = pgTable(
  "wallet_codes",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id),
    /** The key of the offer in patients/wallet. */
    offer: text().notNull(),
    /** "NW-7K3M-Q2XA" */
    code: text().notNull(),
    /** The row of the ledger that paid for it. */
    entryId: bigint({ mode: "number" })
      .notNull()
      .references(() => walletEntries.id),
    appointmentId: uuid().references(() => appointments.id, { onDelete: "set null" }),
    appliedAt: at(),
    /** The form's key: a second press or a retry finds the first code. */
    idempotencyKey: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("wallet_codes_code").on(t.code),
    uniqueIndex("wallet_codes_entry").on(t.entryId),
    uniqueIndex("wallet_codes_appointment").on(t.appointmentId),
    uniqueIndex("wallet_codes_idempotency").on(t.patientId, t.idempotencyKey),
    index("wallet_codes_ready").on(t.patientId, t.createdAt).where(sql`${t.appointmentId} is null`),
  ],
);
ofPatients(walletCodes, {
  section: "discountCodes",
  owner: "patientId",
  stays: {
    ...shown("id offer code appointmentId"),
    ...hidden("patientId entryId appliedAt idempotencyKey"),
    createdAt: "at",
  },
  why: "an append-only ledger without names",
});
