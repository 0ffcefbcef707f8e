import { eq } from "drizzle-orm";
import type { Sealed } from "#app/db/schema/columns.ts";
import { doctors, verificationDrafts } from "#app/db/schema/index.ts";
import { open, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { DraftStepName, DraftSteps } from "./draft.ts";

/**
 * The page that sent a save: the version it was rendered from, its random token, and, with JavaScript, the number of its post (an
 * earlier post can arrive later).
 */
export type Writer = { version: number; page: string; turn: number };

/** A stored step. `savedAt`: the draft's version after the save. `page` and `turn`: the sender. */
type StoredStep<Step> = { typed: Step; savedAt: number; page: string; turn: number };
type StoredSteps = { [Name in DraftStepName]: StoredStep<NonNullable<DraftSteps[Name]>> | null };
export type Draft = { version: number; steps: DraftSteps; stored: StoredSteps };

/** Decrypts a step; null if no current key opens it. The doctor fills it in again. */
function openStep<Name extends DraftStepName>(step: Name, doctorId: string, value: Sealed | null | undefined): StoredSteps[Name] {
  if (!value) return null;
  try {
    return JSON.parse(open(verificationDrafts[step as DraftStepName], doctorId, value)) as StoredSteps[Name];
  } catch {
    return null;
  }
}

/** Returns the acting doctor's draft, from any device. */
export async function getDraft(ctx: Ctx<Actor>): Promise<Draft> {
  const doctorId = ctx.actor.userId;
  const [row] = await ctx.db.select().from(verificationDrafts).where(eq(verificationDrafts.doctorId, doctorId));
  const stored = {
    hospital: openStep("hospital", doctorId, row?.hospital),
    professional: openStep("professional", doctorId, row?.professional),
    bank: openStep("bank", doctorId, row?.bank),
  };
  return {
    version: row?.version ?? 0,
    steps: { hospital: stored.hospital?.typed ?? null, professional: stored.professional?.typed ?? null, bank: stored.bank?.typed ?? null },
    stored,
  };
}

/**
 * Locks the acting doctor's row until the transaction ends, to serialize saves, uploads and the submission.
 * @throws DomainError("not-found"), "conflict" when the application is not a draft any more
 */
export async function lockDraft(tx: Ctx<Actor>): Promise<void> {
  const [doctor] = await tx.db
    .select({ status: doctors.registrationStatus })
    .from(doctors)
    .where(eq(doctors.id, tx.actor.userId))
    .for("update");
  if (!doctor) throw new DomainError("not-found", m.application_doctor_missing());
  if (doctor.status !== "draft")
    throw new DomainError("conflict", m.application_wrong_state({ status: statusWord(doctor.status) }), {
      detail: { status: doctor.status },
    });
}

/** True for a conflict of `lockDraft` because the application is not a draft any more. */
export const isMoved = (error: DomainError) => typeof (error.detail as { status?: unknown } | undefined)?.status === "string";

/** @throws DomainError("conflict") when another page saved one of these steps after `writer` had read it. */
export function refuseStale(draft: Draft, steps: readonly DraftStepName[], writer: Writer): void {
  const stale = steps.some((step) => {
    const stored = draft.stored[step];
    return stored !== null && stored.savedAt > writer.version && stored.page !== writer.page;
  });
  if (stale) throw new DomainError("conflict", m.application_changed_elsewhere());
}

/**
 * Stores a step as it was typed, valid or not. A page never conflicts with itself (a double press, a post overtaken by the next).
 * A newer save of another page is not overwritten.
 * @throws DomainError("conflict")
 */
export async function saveDraftStep<Name extends DraftStepName>(
  ctx: Ctx<Actor>,
  step: Name,
  writer: Writer,
  typed: NonNullable<DraftSteps[Name]>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockDraft(tx);
    const draft = await getDraft(tx);
    refuseStale(draft, [step], writer);
    const stored = draft.stored[step];
    if (stored && stored.page === writer.page && stored.turn > writer.turn) return; // a later post has arrived
    await writeSteps(tx, draft.version, { [step]: typed }, writer);
  });
}

/** Writes steps. The caller has locked the doctor's row. */
export async function writeSteps(
  tx: Ctx<Actor>,
  version: number,
  steps: Partial<DraftSteps>,
  { page, turn }: Pick<Writer, "page" | "turn">,
): Promise<void> {
  const doctorId = tx.actor.userId;
  const next = version + 1;
  const columns = Object.fromEntries(
    Object.entries(steps).map(([step, typed]) => {
      const value = JSON.stringify({ typed, savedAt: next, page, turn });
      return [step, sealed(verificationDrafts[step as DraftStepName], doctorId, value)];
    }),
  );
  await tx.db
    .insert(verificationDrafts)
    .values({ doctorId, ...columns, version: next, updatedAt: tx.now })
    .onConflictDoUpdate({ target: verificationDrafts.doctorId, set: { ...columns, version: next, updatedAt: tx.now } });
}
