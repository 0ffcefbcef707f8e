/**
 * Seeds a database. Each function is idempotent and may run in several processes at once: the others wait for the first.
 */
import { seedDemoCases } from "./cases.server.ts";
import { seedCities } from "./cities.server.ts";
import { seedClinicEvenings, seedDemoClinic, seedKeywords } from "./clinic.server.ts";
import { seedDemoDay } from "./day.server.ts";
import { seedDemoData } from "./demo.server.ts";
import { seedDemoFaces } from "./faces.server.ts";
import { seedDemoPrescription } from "./prescription.server.ts";
import { seedDemoReviews } from "./reviews.server.ts";
import type { SeedCtx } from "./seed-lock.server.ts";
import { topUpSlots } from "./slots.server.ts";
import { seedDemoSupport } from "./support.server.ts";

/** Inserts the data of every installation: the cities of India. */
export const seedReference = (ctx: SeedCtx): Promise<void> => seedCities(ctx);
/** Inserts the demo data. Requires `seedReference`. */
export async function seedDemo(ctx: SeedCtx): Promise<void> {
  await seedDemoData(ctx);
  await seedDemoFaces(ctx);
  await seedDemoCases(ctx);
  await seedDemoClinic(ctx);
  await seedClinicEvenings(ctx);
  await seedKeywords(ctx);
  await seedDemoDay(ctx);
  await seedDemoPrescription(ctx);
  await seedDemoReviews(ctx);
  await seedDemoSupport(ctx);
}
/** Updates the demo at each start: adds slots for the next fourteen days, and cases, a clinic, reviews, questions to support, drawings and names in three scripts to older demo data. */
export async function topUpDemo(ctx: SeedCtx): Promise<void> {
  await topUpSlots(ctx);
  await seedDemoFaces(ctx);
  await seedDemoCases(ctx);
  await seedDemoClinic(ctx);
  await seedClinicEvenings(ctx);
  await seedKeywords(ctx);
  await seedDemoDay(ctx);
  await seedDemoPrescription(ctx);
  await seedDemoReviews(ctx);
  await seedDemoSupport(ctx);
}
