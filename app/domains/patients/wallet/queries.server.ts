import { desc, eq, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, patients, users, walletCodes, walletEntries, wallets } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { readProgress } from "./missions.server.ts";
import { MISSIONS, type Mission } from "./wallet.ts";

const MOST_ENTRIES = 20;
const MOST_CODES = 20;

/** SQL: no later row of the ledger reverses the mission. */
const notReversed = sql`not exists (select from wallet_entries r
  where r.patient_id = wallet_entries.patient_id and r.about = wallet_entries.about and r.round = wallet_entries.round and r.kind = 'reversal')`;

/** A mission with the acting patient's progress; `current` is at most `total`. */
export type OwnMission = Mission & { current: number; completedOn: DateKey | null };

/** Returns the acting patient's wallet. Done missions that can be completed come first, then open ones. */
export async function getWallet(ctx: Ctx<Actor>) {
  const mine = ctx.actor.userId;
  const [[owner], progress, completed, entries, codes] = await Promise.all([
    ctx.db
      .select({ name: patients.name, phone: users.phone, balance: sql<number>`coalesce(${wallets.balance}, 0)` })
      .from(patients)
      .innerJoin(users, eq(users.id, patients.id))
      .leftJoin(wallets, eq(wallets.patientId, patients.id))
      .where(eq(patients.id, mine)),
    readProgress(ctx),
    ctx.db
      .select({ about: walletEntries.about, at: walletEntries.createdAt })
      .from(walletEntries)
      .where(sql`${walletEntries.patientId} = ${mine} and ${walletEntries.kind} = 'mission' and ${notReversed}`),
    ctx.db
      .select({
        id: walletEntries.id,
        kind: walletEntries.kind,
        about: walletEntries.about,
        points: walletEntries.points,
        at: walletEntries.createdAt,
      })
      .from(walletEntries)
      .where(eq(walletEntries.patientId, mine))
      .orderBy(desc(walletEntries.id))
      .limit(MOST_ENTRIES + 1),
    ctx.db
      .select({
        id: walletCodes.id,
        code: walletCodes.code,
        offer: walletCodes.offer,
        doctor: sql<string | null>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}`,
        visit: appointments.date,
      })
      .from(walletCodes)
      .leftJoin(appointments, eq(appointments.id, walletCodes.appointmentId))
      .leftJoin(doctors, eq(doctors.id, appointments.doctorId))
      .where(eq(walletCodes.patientId, mine))
      .orderBy(sql`${walletCodes.appointmentId} is not null`, desc(walletCodes.createdAt))
      .limit(MOST_CODES),
  ]);
  if (!owner) throw new DomainError("not-found");
  const done = new Map(completed.map((row) => [row.about, todayInIndia(row.at)]));
  const missions = MISSIONS.map(
    (mission): OwnMission => ({
      ...mission,
      current: Math.min(mission.total, progress[mission.key]),
      completedOn: done.get(mission.key) ?? null,
    }),
  );
  const rank = (mission: OwnMission) => (mission.completedOn ? 2 : mission.current >= mission.total ? 0 : 1);
  return {
    ...owner,
    missions: missions.sort((a, b) => rank(a) - rank(b)),
    entries: entries.slice(0, MOST_ENTRIES).map(({ at, ...entry }) => ({ ...entry, date: todayInIndia(at) })),
    more: entries.length > MOST_ENTRIES,
    codes,
  };
}

/** Returns wallets whose balance differs from the sum of their ledger. Should be empty. */
export async function findWrongBalances(ctx: Ctx): Promise<{ patientId: string; balance: number; sum: number }[]> {
  return (await ctx.db.execute(sql`
    select coalesce(w.patient_id, e.patient_id) as "patientId", coalesce(w.balance, 0) as balance, coalesce(e.sum, 0)::int as sum
    from wallets w full join (select patient_id, sum(points) as sum from wallet_entries group by 1) e on e.patient_id = w.patient_id
    where coalesce(w.balance, 0) <> coalesce(e.sum, 0)`)) as unknown as { patientId: string; balance: number; sum: number }[];
}
