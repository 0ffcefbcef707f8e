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
 * Which page sent a save: the version it had read, a random token of its own, and, with JavaScript, the how-manieth of its
 * posts it is (a post that is overtaken by the next one arrives later).
 */
export type Writer = { version: number; page: string; turn: number };

/** A step as it is sealed. `savedAt` is the draft's version after the save, `page` and `turn` tell who sent it. */
type Kept<Step> = { typed: Step; savedAt: number; page: string; turn: number };
type KeptSteps = { [Name in DraftStepName]: Kept<NonNullable<DraftSteps[Name]>> | null };
export type Draft = { version: number; steps: DraftSteps; kept: KeptSteps };

/** A step that no key of today opens is gone: the doctor is asked again. */
function openStep<Name extends DraftStepName>(step: Name, doctorId: string, stored: Sealed | null | undefined): KeptSteps[Name] {
  if (!stored) return null;
  try {
    return JSON.parse(open(verificationDrafts[step as DraftStepName], doctorId, stored)) as KeptSteps[Name];
  } catch {
    return null;
  }
}

/** Everything the acting doctor has given so far, on whatever device. */
export async function getDraft(ctx: Ctx<Actor>): Promise<Draft> {
  const doctorId = ctx.actor.userId;
  const [row] = await ctx.db.select().from(verificationDrafts).where(eq(verificationDrafts.doctorId, doctorId));
  const kept = {
    hospital: openStep("hospital", doctorId, row?.hospital),
    professional: openStep("professional", doctorId, row?.professional),
    bank: openStep("bank", doctorId, row?.bank),
  };
  return {
    version: row?.version ?? 0,
    steps: { hospital: kept.hospital?.typed ?? null, professional: kept.professional?.typed ?? null, bank: kept.bank?.typed ?? null },
    kept,
  };
}

/**
 * The acting doctor's row, held until the transaction ends: saves, uploads and the submission of one doctor take turns.
 * @throws DomainError("not-found"), "conflict" when the case is no draft any more
 */
export async function holdDraft(tx: Ctx<Actor>): Promise<void> {
  const [doctor] = await tx.db
    .select({ status: doctors.registrationStatus })
    .from(doctors)
    .where(eq(doctors.id, tx.actor.userId))
    .for("update");
  if (!doctor) throw new DomainError("not-found", m.verification_doctor_missing());
  if (doctor.status !== "draft")
    throw new DomainError("conflict", m.verification_wrong_state({ status: statusWord(doctor.status) }), {
      detail: { status: doctor.status },
    });
}

/** Told of a refusal by `holdDraft`: the case has moved on, and there is nothing to keep any more. */
export const isMoved = (error: DomainError) => typeof (error.detail as { status?: unknown } | undefined)?.status === "string";

/** @throws DomainError("conflict") when another page saved one of these steps after `writer` had read it. */
export function refuseStale(draft: Draft, steps: readonly DraftStepName[], writer: Writer): void {
  const stale = steps.some((step) => {
    const kept = draft.kept[step];
    return kept !== null && kept.savedAt > writer.version && kept.page !== writer.page;
  });
  if (stale) throw new DomainError("conflict", m.verification_changed_elsewhere());
}

/**
 * Keeps one step as it was typed, whatever it is worth. A page never fights itself (a double press, an upload overtaken
 * by the next press); another page's newer save is not written over unseen.
 * @throws DomainError("conflict")
 */
export async function saveDraftStep<Name extends DraftStepName>(
  ctx: Ctx<Actor>,
  step: Name,
  writer: Writer,
  typed: NonNullable<DraftSteps[Name]>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await holdDraft(tx);
    const draft = await getDraft(tx);
    refuseStale(draft, [step], writer);
    const kept = draft.kept[step];
    if (kept && kept.page === writer.page && kept.turn > writer.turn) return; // overtaken: the later post stands
    await writeSteps(tx, draft.version, { [step]: typed }, writer);
  });
}

/** Writes steps as they are given; the caller holds the doctor's row. */
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
      const kept = JSON.stringify({ typed, savedAt: next, page, turn });
      return [step, sealed(verificationDrafts[step as DraftStepName], doctorId, kept)];
    }),
  );
  await tx.db
    .insert(verificationDrafts)
    .values({ doctorId, ...columns, version: next, updatedAt: tx.now })
    .onConflictDoUpdate({ target: verificationDrafts.doctorId, set: { ...columns, version: next, updatedAt: tx.now } });
}
