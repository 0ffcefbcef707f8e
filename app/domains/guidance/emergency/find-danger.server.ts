import type { Ctx } from "#app/domains/context.server.ts";
import { listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import type { Near } from "#app/domains/directory/near.ts";
import { findRedFlag } from "../triage/red-flags.ts";
import { dialable } from "./dialable.ts";

/** What a search with danger words shows above its results; `hospital`: the nearest one with emergency care and a number. */
export type SearchDanger = { hospital: { name: string; phone: string; km: number | null } | null };

/** Returns null for a search without danger words. */
export async function findSearchDanger(ctx: Ctx, text: string, near: Near): Promise<SearchDanger | null> {
  if (!text || !findRedFlag(text)) return null;
  const { hospitals } = await listHospitals(ctx, { near, emergency: true, nearby: true, sort: "distance", limit: 1 });
  const phone = dialable(hospitals[0]?.phone);
  return { hospital: hospitals[0] && phone ? { name: hospitals[0].name, phone, km: hospitals[0].distanceKm } : null };
}
