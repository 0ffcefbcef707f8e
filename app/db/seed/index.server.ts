/**
 * What a database needs before anybody comes. Each function may run at every start and in several processes at once:
 * one works, the others wait and find it done.
 */
import { seedDemoCases } from "./cases.server.ts";
import { seedCities } from "./cities.server.ts";
import { seedDemoData } from "./demo.server.ts";
import { seedDemoReviews } from "./reviews.server.ts";
import type { SeedCtx } from "./seed-lock.server.ts";
import { topUpSlots } from "./slots.server.ts";

/** Facts that every installation needs: the cities of India. */
export const seedReference = (ctx: SeedCtx): Promise<void> => seedCities(ctx);
/** Demo mode: doctors, hospitals, patients, visits, accounts. Wants `seedReference` before it. */
export async function seedDemo(ctx: SeedCtx): Promise<void> {
  await seedDemoData(ctx);
  await seedDemoCases(ctx);
  await seedDemoReviews(ctx);
}
/** Demo mode, at each start: the demo doctors stay bookable for the coming fourteen days; the desks are set, and reviews written, in a demo of before them. */
export async function topUpDemo(ctx: SeedCtx): Promise<void> {
  await topUpSlots(ctx);
  await seedDemoCases(ctx);
  await seedDemoReviews(ctx);
}
