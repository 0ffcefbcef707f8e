import { and, eq, or } from "drizzle-orm";
import { appointments, supportThreads } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid, newReferenceCode } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { addMessage, findSent, lockThread } from "./messages.server.ts";
import type { QuestionInput } from "./support.schema.ts";
import { canSupport } from "./support.state.ts";

const onlyUsers = ({ actor }: Ctx<Actor>) => {
  if (actor.role === "admin") throw new DomainError("forbidden");
};

/**
 * Opens a thread with the user's question. Idempotent by the form's key.
 * @returns the id of the thread
 * @throws DomainError("forbidden" | "too-many" | "unauthenticated"), "invalid" for an appointment that is not the user's
 */
export async function askSupport(ctx: Ctx<Actor>, input: QuestionInput): Promise<string> {
  onlyUsers(ctx);
  const sent = await findSent(ctx, input.key);
  if (sent) return sent;
  const appointmentId = await ownAppointment(ctx, input.appointment);
  await spendLimits(ctx, [{ limit: "support-question", key: ctx.actor.userId }]);
  const created = await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const { userId } = tx.actor;
    const [thread] = await tx.db
      .insert(supportThreads)
      .values({
        reference: newReferenceCode("NS"),
        userId,
        topic: input.topic,
        appointmentId,
        waitingSince: tx.now,
        lastMessageAt: tx.now,
        createdAt: tx.now,
      })
      .returning({ id: supportThreads.id });
    if (!(await addMessage(tx, thread!.id, input))) {
      // The same form in another request: this thread is not needed.
      await tx.db.delete(supportThreads).where(eq(supportThreads.id, thread!.id));
      return null;
    }
    await recordChange(tx, "ask-support", { subject: { "support-thread": thread!.id }, details: { topic: input.topic } });
    return thread!.id;
  });
  return created ?? (await findSent(ctx, input.key))!;
}

async function ownAppointment(ctx: Ctx<Actor>, id: string | undefined): Promise<string | null> {
  if (!id) return null;
  const { userId } = ctx.actor;
  const [own] = isUuid(id)
    ? await ctx.db
        .select({ id: appointments.id })
        .from(appointments)
        .where(and(eq(appointments.id, id), or(eq(appointments.patientId, userId), eq(appointments.doctorId, userId))))
    : [];
  if (!own) throw new DomainError("invalid", undefined, { fields: { appointment: [m.support_appointment_unknown()] } });
  return own.id;
}

/**
 * Adds a message to the user's own thread, and opens it again when it was closed. Notifies the administrator who answers it.
 * Idempotent by the form's key.
 * @throws DomainError("not-found" | "forbidden" | "too-many" | "unauthenticated")
 */
export async function replyToSupport(ctx: Ctx<Actor>, input: { id: string; message: string; key: string }): Promise<void> {
  onlyUsers(ctx);
  if ((await findSent(ctx, input.key)) === input.id) return;
  await spendLimits(ctx, [{ limit: "support-message", key: ctx.actor.userId }]);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const thread = await lockThread(tx, input.id);
    if (!(await addMessage(tx, thread.id, input))) return;
    const action = canSupport("reopen", thread.state, tx.actor.role) ? "reopen" : "reply";
    await tx.db
      .update(supportThreads)
      .set({ state: "open", waitingSince: thread.waitingSince ?? tx.now, lastMessageAt: tx.now })
      .where(eq(supportThreads.id, thread.id));
    const notice = { params: { reference: thread.reference }, target: { page: "admin-support", id: thread.id } } as const;
    await recordChange(tx, `${action}-support`, {
      subject: { "support-thread": thread.id },
      people: { assignee: thread.assigneeId },
      notify: { assignee: thread.assigneeId ? notice : null },
    });
  });
}
