import { serverKey } from "#app/db/server-keys.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { plainName } from "#app/lib/plain-name.ts";

/** Identifies a patient in visits and records: one name in one account, or on one phone. Two patients of a name get numbers (`addWalkIn`). `keys`: those of another database. */
export async function personKeyOf(
  ctx: Pick<Ctx, "db">,
  accountOrPhone: string,
  name: string,
  keys?: readonly [string, ...string[]],
): Promise<string> {
  const same = plainName(name);
  return hmac(`${accountOrPhone}|${same}`, await serverKey(ctx.db, "visit-person", keys), "visit-person");
}
