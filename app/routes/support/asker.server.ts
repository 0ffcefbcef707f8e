/** The pages of a user's questions to support: in the area of patients, and in the account of others. */
import { href, type RouterContextProvider } from "react-router";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectTo } from "#app/http/redirects.server.ts";

/** Returns the context of the user. Redirects an administrator, who answers, to the inbox. @throws Response */
export function askerCtxOf(context: Readonly<RouterContextProvider>) {
  const ctx = actorCtxOf(context);
  if (ctx.actor.role === "admin") throw redirectTo(href("/admin/support"));
  return ctx;
}
