import { href } from "react-router";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { askStreaming, chatUploads } from "../assistant/ask-assistant.server.ts";
import type { Route } from "./+types/ai-chat-ask.ts";

// As the page (ai-chat.tsx).
export const handle = { uploadMb: 24 } satisfies RouteRules;
export const loader = () => redirectTo(href("/patient/ai-chat"));

/** Streams the answer to a question sent by script (askStreaming). */
export function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return askStreaming(ctx, request, chatUploads(ctx));
}
