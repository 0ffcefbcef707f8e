import { askStreaming, chatUploads } from "#app/http/ask-assistant.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import type { Route } from "./+types/ai-chat-ask.ts";

export const middleware = [requireRole("patient")];
export const loader = () => redirectTo("/patient/ai-chat");

/** Streams the answer to a question sent by script (askStreaming). */
export function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return askStreaming(ctx, request, chatUploads(ctx));
}
