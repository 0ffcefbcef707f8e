/**
 * The email address of a patient, for notifications only: it is no login. An address receives nothing until its link was opened
 * and confirmed. The answer is the same whether or not another account has the address.
 */
import { and, eq, gt } from "drizzle-orm";
import { notificationEmails, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hours } from "#app/lib/durations.ts";
import { hashToken, randomToken } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { pathOf } from "#app/lib/targets.ts";
import { m } from "#app/paraglide/messages.js";
import { enqueue } from "#app/queue/queue.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { spendLimits } from "../limits/limit.server.ts";

const LINK_LIFE = hours(24);

const over = () => new DomainError("not-found", m.email_link_over());

/** `email`: the confirmed address; `pending`: one whose link was sent and not yet confirmed. */
type NotificationEmail = { email: string | null; pending: string | null };

/** Returns the addresses of the acting patient. A pending address is not shown once its link is over. */
export async function getNotificationEmail(ctx: Ctx<Actor>): Promise<NotificationEmail> {
  const [row] = await ctx.db.select().from(notificationEmails).where(eq(notificationEmails.userId, ctx.actor.userId));
  const isOpen = row?.tokenExpiresAt != null && row.tokenExpiresAt > ctx.now;
  return { email: row?.email ?? null, pending: isOpen ? row.pendingEmail : null };
}

/**
 * Sends a link to an address. A confirmed address stays in use until the new one is confirmed; an earlier link stops working.
 * @throws DomainError("too-many")
 */
export async function requestNotificationEmail(ctx: Ctx<Actor>, input: { email: string }): Promise<void> {
  const { userId } = ctx.actor;
  const { email } = input;
  await spendLimits(ctx, [
    { limit: "email-link", key: userId },
    { limit: "email-link-to", key: email },
  ]);
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const token = randomToken();
    const values = {
      pendingEmail: email,
      tokenHash: hashToken(token),
      tokenExpiresAt: new Date(tx.now.getTime() + LINK_LIFE),
      updatedAt: tx.now,
    };
    await tx.db
      .insert(notificationEmails)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: notificationEmails.userId, set: values });
    const link = new URL(`${pathOf({ page: "confirm-email", id: token })}?lang=${language()}`, env().appUrl).href;
    await enqueue(tx, "email", {
      to: email,
      subject: m.email_link_subject(),
      body: m.email_link_body({ link, hours: String(LINK_LIFE / hours(1)) }),
    });
    await recordChange(tx, "request-email", { people: { user: userId } });
  });
}

const openLink = (ctx: Ctx, token: string) =>
  and(eq(notificationEmails.tokenHash, hashToken(token)), gt(notificationEmails.tokenExpiresAt, ctx.now));

/** Returns the address of a link. Changes nothing. @throws DomainError("not-found") when the link is unknown, used or too old */
export async function getEmailLink(ctx: Ctx, token: string): Promise<{ email: string }> {
  const [row] = await ctx.db
    .select({ email: notificationEmails.pendingEmail })
    .from(notificationEmails)
    .innerJoin(users, and(eq(users.id, notificationEmails.userId), eq(users.status, "active")))
    .where(openLink(ctx, token));
  if (!row?.email) throw over();
  return { email: row.email };
}

/** Confirms the address of a link, once. Needs no login: the email may be opened on another device. @throws DomainError("not-found" | "too-many") */
export async function confirmNotificationEmail(ctx: Ctx, input: { token: string }): Promise<void> {
  await spendLimits(ctx, [{ limit: "email-link-try", address: ctx.ip }]);
  const { email } = await getEmailLink(ctx, input.token);
  await transact(ctx, async (tx) => {
    const [won] = await tx.db
      .update(notificationEmails)
      .set({ email, pendingEmail: null, tokenHash: null, tokenExpiresAt: null, updatedAt: tx.now })
      .where(and(openLink(tx, input.token), eq(notificationEmails.pendingEmail, email)))
      .returning({ userId: notificationEmails.userId });
    if (!won) throw over();
    await recordChange(tx, "confirm-email", { people: { user: won.userId } });
  });
}

/** Removes both addresses of the acting patient. Idempotent. */
export async function removeNotificationEmail(ctx: Ctx<Actor>): Promise<void> {
  const { userId } = ctx.actor;
  await transact(ctx, async (tx) => {
    const [gone] = await tx.db
      .delete(notificationEmails)
      .where(eq(notificationEmails.userId, userId))
      .returning({ userId: notificationEmails.userId });
    if (gone) await recordChange(tx, "remove-email", { people: { user: userId } });
  });
}
