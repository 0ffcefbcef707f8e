import { followPushBrowser } from "#app/domains/platform/push/follow-browser.server.ts";
import { PushReportSchema } from "#app/domains/platform/push/push.schema.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import type { Route } from "./+types/push-browser.ts";

/** Nothing to read here. */
export const loader = () => new Response(null, { status: 405, headers: { allow: "POST" } });

/** The service worker reports its subscription after a page, and when the browser replaced it. Responds whether it stays. */
export const action = ({ request, context }: Route.ActionArgs) =>
  submitForm(request, PushReportSchema, async ({ endpoint, next, p256dh = "", auth = "" }) => {
    const report = { endpoint, next: next ? { endpoint: next, p256dh, auth } : undefined };
    return Response.json({ on: await followPushBrowser(ctxOf(context), context.get(sessionContext), report) });
  });
