import { eq } from "drizzle-orm";
import { supportThreads, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Target } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { closeThread } from "./close-thread.server.ts";
import { addMessage, findSent, lockThread, newestMessage } from "./messages.server.ts";

const onlyAdmins = ({ actor }: Ctx<Actor>) => {
  if (actor.role !== "admin") throw new DomainError("forbidden");
};

type Thread = Awaited<ReturnType<typeof lockThread>>;

/** Returns the notification to the user of a thread, at the page of their area. */
async function noticeOf(tx: Ctx<Actor>, { id, userId, reference }: Thread) {
  const [user] = await tx.db.select({ role: users.role }).from(users).where(eq(users.id, userId));
  const target: Target = { page: user?.role === "patient" ? "patient-support" : "own-support", id };
  return { params: { reference }, target };
}

/** @throws "conflict" when the thread has a newer message than the administrator has read */
async function requireSeen(tx: Ctx<Actor>, thread: Thread, seen: string): Promise<void> {
  if ((await newestMessage(tx, thread.id)) !== seen) throw new DomainError("conflict", m.support_changed());
}

/**
 * Answers a thread as an administrator, assigns it to them if it is unassigned, and notifies its user. Idempotent by the form's key.
 * @param input.seen the newest message that the administrator has read: of two answers at once the second is refused
 * @param input.close also closes the thread
 * @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export async function answerThread(
  ctx: Ctx<Actor>,
  input: { id: string; message: string; key: string; seen: string; close: boolean },
): Promise<void> {
  onlyAdmins(ctx);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const thread = await lockThread(tx, input.id);
    if ((await findSent(tx, input.key)) === thread.id) return;
    await requireSeen(tx, thread, input.seen);
    if (!(await addMessage(tx, thread.id, input))) throw new DomainError("conflict", m.support_changed());
    await tx.db
      .update(supportThreads)
      .set({ state: "answered", waitingSince: null, lastMessageAt: tx.now, assigneeId: thread.assigneeId ?? tx.actor.userId })
      .where(eq(supportThreads.id, thread.id));
    await recordChange(tx, "answer-support", {
      subject: { "support-thread": thread.id },
      people: { user: thread.userId },
      notify: { user: await noticeOf(tx, thread) },
    });
    if (input.close) await closeThread(tx, thread, null);
  });
}

/**
 * Closes a thread as an administrator, without an answer, and notifies its user. Idempotent.
 * @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export async function closeAsAdmin(ctx: Ctx<Actor>, input: { id: string; seen: string }): Promise<void> {
  onlyAdmins(ctx);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const thread = await lockThread(tx, input.id);
    if (thread.state === "closed") return;
    await requireSeen(tx, thread, input.seen);
    await closeThread(tx, thread, await noticeOf(tx, thread));
  });
}

/**
 * Assigns a thread to the acting administrator, or ends the assignment. Idempotent.
 * @param input.from to whom it was assigned on the page: of two administrators at once the second is refused
 * @throws DomainError("forbidden" | "not-found" | "conflict")
 */
export async function assignThread(ctx: Ctx<Actor>, input: { id: string; to: "me" | null; from: string }): Promise<void> {
  onlyAdmins(ctx);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const thread = await lockThread(tx, input.id);
    const assigneeId = input.to === "me" ? tx.actor.userId : null;
    if (thread.assigneeId === assigneeId) return;
    if ((thread.assigneeId ?? "") !== input.from) throw new DomainError("conflict", m.support_assigned_meanwhile());
    await tx.db.update(supportThreads).set({ assigneeId }).where(eq(supportThreads.id, thread.id));
    const action = assigneeId ? "assign-support" : "release-support";
    await recordChange(tx, action, { subject: { "support-thread": thread.id }, people: { user: thread.userId } });
  });
}
