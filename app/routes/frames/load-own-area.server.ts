import type { RouterContextProvider } from "react-router";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { getDoctorHead, getRegistrationStatus } from "#app/domains/directory/doctors/queries.server.ts";
import { countStuckOrders, hasOnlinePayments } from "#app/domains/money/checks/queries.server.ts";
import { hasPlatformFees } from "#app/domains/money/platform-fee/queries.server.ts";
import { countSettlementMismatches } from "#app/domains/money/settlements/checked-settlements.server.ts";
import { countTasks } from "#app/domains/oversight/tasks/queries.server.ts";
import { getClinicAccess } from "#app/domains/places/members/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { idleOf } from "#app/http/session.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** Loads what the frame of pages for several roles shows (/account, /clinic): that of the user's own area. */
export async function loadOwnArea({ context }: { context: Readonly<RouterContextProvider> }) {
  const ctx = actorCtxOf(context);
  const { role, userId } = ctx.actor;
  const session = context.get(sessionContext);
  const idle = idleOf(session, ctx.now);
  const { clinic, desk } = role === "reviewer" || role === "staff" ? await getClinicAccess(ctx) : { clinic: false, desk: false };
  const admin = role === "admin" ? await getAdminNavigation(ctx) : null;
  const frame = { role, userId, idle, clinic, desk, messages: env().hasConversations, admin };
  if (role !== "doctor" || (await getRegistrationStatus(ctx)) !== "verified") return { ...frame, doctor: null };
  return { ...frame, doctor: { id: userId, ...(await getDoctorHead(ctx)), unread: session?.unread ?? 0 } };
}

/** Loads what the navigation of administrators shows on each of their pages. */
export async function getAdminNavigation(ctx: Ctx<Actor>) {
  const [tasks, stuck, mismatches, hasFees] = await Promise.all([
    countTasks(ctx),
    countStuckOrders(ctx),
    countSettlementMismatches(ctx),
    hasPlatformFees(ctx),
  ]);
  return { tasks, payments: hasOnlinePayments(ctx) ? { stuck, mismatches, hasFees } : null };
}
