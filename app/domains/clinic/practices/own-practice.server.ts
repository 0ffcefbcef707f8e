import { and, eq, ne } from "drizzle-orm";
import { practices } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { PracticeMode } from "#app/lib/vocabulary.ts";

export type OwnPractice = {
  id: string;
  doctorId: string;
  state: "asked" | "active";
  isFirst: boolean;
  mode: PracticeMode;
  seatsPerSession: number;
};

/** Returns an open practice of the acting doctor and locks it until the end of the transaction. @throws DomainError("not-found") */
export async function lockOwnPractice(tx: Ctx<Actor>, id: string | undefined): Promise<OwnPractice> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await tx.db
    .select({
      id: practices.id,
      doctorId: practices.doctorId,
      state: practices.state,
      mode: practices.mode,
      seatsPerSession: practices.seatsPerSession,
    })
    .from(practices)
    .where(and(eq(practices.id, id), eq(practices.doctorId, tx.actor.userId), ne(practices.state, "closed")))
    // Bookings refer to the row: with a stronger lock they would wait here while we wait for their times.
    .for("no key update");
  if (!row) throw new DomainError("not-found");
  return { ...row, state: row.state as OwnPractice["state"], isFirst: row.id === row.doctorId };
}
