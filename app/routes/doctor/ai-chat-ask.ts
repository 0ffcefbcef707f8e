import { href } from "react-router";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { askStreaming } from "../assistant/ask-assistant.server.ts";
import type { Route } from "./+types/ai-chat-ask.ts";

export const loader = () => redirectTo(href("/doctor/ai-chat"));

/** Streams the answer to a question sent by script (askStreaming). */
export const action = ({ context, request }: Route.ActionArgs) => askStreaming(actorCtxOf(context), request);
