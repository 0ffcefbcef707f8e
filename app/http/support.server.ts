/** Loaders and actions of a user's questions to support: the same pages in the area of patients and in the account of others. */
import { href, type RouterContextProvider } from "react-router";
import { closeOwnThread } from "#app/domains/platform/support/close-thread.server.ts";
import { getOwnThread, listAppointmentsToName, listOwnThreads } from "#app/domains/platform/support/queries.server.ts";
import { QuestionSchema, ReplySchema } from "#app/domains/platform/support/support.schema.ts";
import { askSupport, replyToSupport } from "#app/domains/platform/support/write-to-support.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { actorCtxOf } from "./context.ts";
import { toLastPage } from "./list-page.server.ts";
import { listState } from "./list-state.ts";
import { redirectTo, redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

type Args = { context: Readonly<RouterContextProvider>; request: Request };
type ThreadArgs = Args & { params: { id: string } };

/** Returns the context of the user. Redirects an administrator, who answers, to the inbox. @throws Response */
function askerCtxOf(context: Args["context"]) {
  const ctx = actorCtxOf(context);
  if (ctx.actor.role === "admin") throw redirectTo(href("/admin/support"));
  return ctx;
}

const threadPath = (role: string, id: string) =>
  role === "patient" ? href("/patient/support/:id", { id }) : href("/account/support/:id", { id });

export async function loadSupportList({ context, request }: Args) {
  const ctx = askerCtxOf(context);
  const { page } = listState(request);
  const list = await listOwnThreads(ctx, page);
  toLastPage(request, page, list.total);
  return { page, ...list };
}

export async function loadQuestion({ context }: Args) {
  const ctx = askerCtxOf(context);
  return { asDoctor: ctx.actor.role === "doctor", appointments: await listAppointmentsToName(ctx), key: randomToken() };
}

export function submitQuestion({ context, request }: Args) {
  const ctx = askerCtxOf(context);
  return submitForm(request, QuestionSchema, async (input) => {
    const id = await askSupport(ctx, input);
    return redirectWithToast(threadPath(ctx.actor.role, id), m.support_sent());
  });
}

export async function loadOwnThread({ context, request, params }: ThreadArgs) {
  const ctx = askerCtxOf(context);
  const { page } = listState(request);
  return { page, ...(await getOwnThread(ctx, params.id, page)), role: ctx.actor.role, key: randomToken() };
}

export function submitReply({ context, request, params: { id } }: ThreadArgs) {
  const ctx = askerCtxOf(context);
  const here = threadPath(ctx.actor.role, id);
  return submitForm(request, ReplySchema, async (input) => {
    if (input.intent === "close") {
      await closeOwnThread(ctx, id);
      return redirectWithToast(here, m.support_closed());
    }
    await replyToSupport(ctx, { id, message: input.message, key: input.key });
    return redirectWithToast(here, m.support_sent());
  });
}
