import { eq } from "drizzle-orm";
import { cities, patients, users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordRead } from "#app/domains/platform/audit/record.server.ts";
import { readStored } from "#app/domains/platform/files/stored-bytes.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { getSettings } from "#app/domains/platform/settings/queries.server.ts";
import { listResources } from "#app/domains/visit/fhir/bundle.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { type ZipEntry, zipped } from "#app/lib/zip.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { listFiles, pathOf, SECTIONS } from "./own-rows.server.ts";
import { shownColumns } from "./policies.server.ts";

/**
 * Returns all data of the acting patient as a zip: data.json, visits and documents as FHIR R4 in fhir-r4.json, and the files. Reads page by page while sending, so it is not a
 * snapshot.
 * @throws DomainError("too-many")
 */
export async function exportData(ctx: Ctx<Actor>): Promise<AsyncGenerator<Uint8Array>> {
  if (ctx.actor.role !== "patient") throw new DomainError("forbidden");
  const { userId } = ctx.actor;
  await spendLimits(ctx, [{ limit: "own-data", key: userId }]);
  await recordRead(ctx, { action: "download-own-data", subjectType: "user", subjectId: userId, personId: userId });
  return zipped(entriesOf(ctx));
}

async function* entriesOf(ctx: Ctx<Actor>): AsyncGenerator<ZipEntry> {
  yield { name: "data.json", at: ctx.now, shrink: true, bytes: jsonOf(ctx) };
  yield { name: "fhir-r4.json", at: ctx.now, shrink: true, bytes: fhirOf(ctx) };
  for await (const file of listFiles(ctx)) {
    const bytes = await readStored(ctx, file);
    // data.json lists a file even if the storage has lost it.
    if (bytes) yield { name: pathOf(file), at: file.createdAt, shrink: false, bytes: once(bytes) };
  }
}
async function* once(bytes: Uint8Array) {
  yield bytes;
}
const text = new TextEncoder();
async function* jsonOf(ctx: Ctx<Actor>): AsyncGenerator<Uint8Array> {
  yield text.encode(`{\n"exportedAt": ${JSON.stringify(ctx.now)},\n"profile": ${JSON.stringify(await profileOf(ctx))}`);
  yield text.encode(`,\n"settings": ${JSON.stringify(await getSettings(ctx))}`);
  for (const [name, rows] of Object.entries(SECTIONS)) {
    yield text.encode(`,\n${JSON.stringify(name)}: [`);
    let first = true;
    for await (const row of rows(ctx)) {
      yield text.encode(`${first ? "" : ","}\n  ${JSON.stringify(row)}`);
      first = false;
    }
    yield text.encode("]");
  }
  yield text.encode("\n}\n");
}

/** One FHIR bundle, entry by entry. */
async function* fhirOf(ctx: Ctx<Actor>): AsyncGenerator<Uint8Array> {
  yield text.encode(`{"resourceType":"Bundle","type":"collection","timestamp":${JSON.stringify(ctx.now)},"entry":[`);
  let first = true;
  for await (const resource of listResources(ctx, { origin: env().appUrl.origin, pathOf })) {
    yield text.encode(`${first ? "" : ","}\n${JSON.stringify({ fullUrl: `urn:uuid:${resource.id}`, resource })}`);
    first = false;
  }
  yield text.encode("]}\n");
}

async function profileOf(ctx: Ctx<Actor>) {
  const [row] = await ctx.db
    .select({ ...shownColumns(users), ...shownColumns(patients), city: cities.name })
    .from(users)
    .innerJoin(patients, eq(patients.id, users.id))
    .leftJoin(cities, eq(cities.id, patients.cityId))
    .where(eq(users.id, ctx.actor.userId));
  return row ?? null;
}
