/** Doctors whose patients book a session and get a number. */
import { eq } from "drizzle-orm";
import { practiceHours, practices } from "#app/db/schema/index.ts";
import { openDays } from "#app/domains/clinic/practices/open-days.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { makeDoctor, type TestDoctor } from "./people.ts";

/** Makes the first practice of a doctor give tokens, and opens its sessions of the next 60 days. Default: every day from 5 to 8 PM, 30 seats. */
export async function giveTokens(
  ctx: Ctx,
  doctorId: string,
  {
    seats = 30,
    hours = [["17:00", "20:00"]],
    practiceId = doctorId,
  }: { seats?: number; hours?: [string, string][]; practiceId?: string } = {},
): Promise<void> {
  await ctx.db.update(practices).set({ mode: "tokens", seatsPerSession: seats }).where(eq(practices.id, practiceId));
  const spans = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => hours.map(([from, until]) => ({ practiceId, doctorId, weekday, from, until })));
  await ctx.db.insert(practiceHours).values(spans);
  await openDays(ctx, doctorId);
}

export async function makeTokenDoctor(ctx: Ctx, over: Parameters<typeof giveTokens>[2] = {}): Promise<TestDoctor> {
  const doctor = await makeDoctor(ctx.db, { fee: 50_000 });
  await giveTokens(ctx, doctor.id, over);
  return doctor;
}
