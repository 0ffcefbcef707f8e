import { createHash, randomUUID } from "node:crypto";
import { eq, sql, sum } from "drizzle-orm";
import { type FilePurpose, files } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { DOCUMENTS } from "./content-type.ts";
import { putSealed } from "./stored-bytes.server.ts";
import { STORAGE_PER_ACCOUNT } from "./upload-limits.ts";

export type StoredFile = { id: string; name: string; byteSize: number };
type NewFile = { purpose: FilePurpose; name: string; bytes: Uint8Array; mediaType: string; width?: number; height?: number };

/**
 * Stores checked bytes as a `pending` file of the actor under a random key. Documents are scanned for malware first, where a scanner is configured.
 * @throws DomainError("unavailable" | "unauthenticated" | "too-large" | "unsupported-type")
 */
export async function storeFile(ctx: Ctx<Actor>, { purpose, name, bytes, mediaType, width, height }: NewFile): Promise<StoredFile> {
  await refuseInfected(ctx, mediaType, bytes);
  // Random, in an alphabet that every storage accepts.
  const key = `${purpose}/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  const stored = await putSealed(ctx.integrations.storage, { id: randomUUID(), storageKey: key, name, bytes });
  try {
    return await transact(ctx, async (tx) => {
      await requireOpenAccount(tx);
      await refuseFull(tx, bytes.byteLength);
      await tx.db.insert(files).values({
        ...stored,
        ownerId: tx.actor.userId,
        purpose,
        mediaType,
        width: width ?? null,
        height: height ?? null,
        createdAt: tx.now,
      });
      return { id: stored.id, name, byteSize: stored.byteSize };
    });
  } catch (error) {
    // Without a row no sweep would find these bytes.
    if (error instanceof DomainError && (error.code === "unauthenticated" || error.code === "too-large"))
      await ctx.integrations.storage.remove(key);
    throw error;
  }
}

/** Pictures are re-encoded and recordings repackaged, so only documents are stored as they came. @throws DomainError("unsupported-type" | "unavailable") */
async function refuseInfected({ integrations }: Ctx, mediaType: string, bytes: Uint8Array): Promise<void> {
  if (!integrations.virusScan || !(mediaType in DOCUMENTS)) return;
  const verdict = await integrations.virusScan.scan(bytes).catch((cause: unknown) => {
    throw new DomainError("unavailable", m.files_not_scanned(), { cause, retryAfterSeconds: 60 });
  });
  if (verdict === "infected") throw new DomainError("unsupported-type", m.files_infected());
}

/** Upload limit of an account: throws when its quota is full. Locks the account, to serialize its uploads. @throws DomainError("too-large") */
async function refuseFull(tx: Ctx<Actor>, more: number): Promise<void> {
  const { userId } = tx.actor;
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`storage:${userId}`}, 0))`);
  const [stored] = await tx.db
    .select({ bytes: sum(files.byteSize) })
    .from(files)
    .where(eq(files.ownerId, userId));
  if (Number(stored?.bytes ?? 0) + more > STORAGE_PER_ACCOUNT)
    throw new DomainError("too-large", m.files_storage_full({ megabytes: String(STORAGE_PER_ACCOUNT / 1024 / 1024) }));
}
