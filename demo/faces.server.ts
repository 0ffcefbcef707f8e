import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { doctors, hospitals } from "#app/db/schema/index.ts";
import type { HospitalAccess } from "#app/lib/vocabulary.ts";
import type { SeedCtx } from "./seed-lock.server.ts";
import { locked } from "./seed-lock.server.ts";
import { DOCTOR_TEXTS, HOSPITAL_TEXTS } from "./translations.ts";

/** The drawing of each invented doctor, chosen by hand as a doctor would choose it: w01 to w11 women, m01 to m10 men. */
export const PORTRAITS: Record<string, string> = {
  "Dr. Anjali Vemuri": "w01",
  "Dr. Suresh Babu Kolli": "m02",
  "Dr. Fathima Begum Shaik": "w05",
  "Dr. Mary Sunitha Gorantla": "w06",
  "Dr. Venkat Rao Nimmagadda": "m04",
  "Dr. Kavitha Reddy Pothula": "w02",
  "Dr. Harsha Vardhan Tadikonda": "m01",
  "Dr. Swarna Latha Mandava": "w03",
  "Dr. Lavanya Devi Chilukuri": "w09",
  "Dr. Ravi Kiran Yalamanchili": "m08",
  "Dr. Nagamani Sunkara": "w08",
  "Dr. Mohammed Irfan Baig": "m05",
  "Dr. Prasanthi Alapati": "w07",
  "Dr. Srinivas Murthy Bodapati": "m09",
  "Dr. Padmaja Rao Kondapalli": "w04",
  "Dr. Syed Aslam Quadri": "m06",
  "Dr. Meenakshi Iyer": "w10",
  "Dr. Chandra Sekhar Goud Palle": "m07",
  "Dr. Ramesh Babu Chinta": "m03",
  "Dr. Haritha Devi Mallela": "w11",
  "Dr. Imran Ali Khan": "m10",
};

/** Access of some invented hospitals. The others gave no answer. */
const ACCESS: Record<string, HospitalAccess[]> = {
  "Krishna Heart Centre": ["ramp", "lift", "wheelchair", "toilet", "parking"],
  "Sri Durga General Hospital": ["ramp", "lift", "wheelchair", "parking"],
  "Prakasam Trauma Care": ["ramp", "lift", "wheelchair"],
  "Bezawada Family Clinic": ["ramp"],
  "Mamatha Women and Child Clinic": ["ramp", "lift"],
  "Golconda Multispeciality Hospital": ["ramp", "lift", "wheelchair", "toilet", "parking"],
};

/**
 * Gives the invented doctors and hospitals their drawings, names in three scripts, and access facts. Idempotent: changes only rows
 * that have none, so demo data of an older version gets them at the next start.
 */
export async function seedDemoFaces(ctx: SeedCtx): Promise<void> {
  const isBare = and(eq(doctors.isDemo, true), isNull(doctors.portrait), inArray(doctors.fullName, Object.keys(PORTRAITS)));
  if ((await ctx.db.$count(doctors, isBare)) === 0) return;
  await locked(ctx, async (db) => {
    // Hospitals first: the search words of a doctor contain the names of the hospital.
    for (const [name, translations] of Object.entries(HOSPITAL_TEXTS))
      await db
        .update(hospitals)
        .set({ translations, access: ACCESS[name] ?? [] })
        .where(and(eq(hospitals.isDemo, true), eq(hospitals.name, name), sql`${hospitals.translations} = '{}'`));
    for (const [fullName, portrait] of Object.entries(PORTRAITS))
      await db
        .update(doctors)
        .set({ portrait, translations: DOCTOR_TEXTS[fullName] ?? {} })
        .where(and(isBare, eq(doctors.fullName, fullName)));
  });
}
