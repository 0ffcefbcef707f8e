/** Loader and action of the pages of a browser's notifications, of patients and doctors. */
import { href, type RouterContextProvider } from "react-router";
import { GROUPS_OF } from "#app/domains/platform/notifications/push-groups.ts";
import { PushFormSchema } from "#app/domains/platform/push/push.schema.ts";
import { addPushBrowser, listPushBrowsers, removePushBrowser } from "#app/domains/platform/push/subscriptions.server.ts";
import { getSettings } from "#app/domains/platform/settings/queries.server.ts";
import { saveSettings } from "#app/domains/platform/settings/save-settings.server.ts";
import type { PushGroup } from "#app/domains/platform/settings/settings.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { actorCtxOf, sessionHashOf } from "./context.ts";
import { redirectWithToast } from "./redirects.server.ts";
import { submitForm } from "./submit-form.server.ts";

type Args = { context: Readonly<RouterContextProvider>; request: Request };

const groupsOf = (doctor: boolean): readonly PushGroup[] => (doctor ? GROUPS_OF.doctor : GROUPS_OF.patient);

export async function loadPush({ context }: Pick<Args, "context">) {
  const ctx = actorCtxOf(context);
  const browsers = await listPushBrowsers(ctx, sessionHashOf(context));
  const { push } = await getSettings(ctx);
  return {
    browsers,
    choices: groupsOf(ctx.actor.role === "doctor").map((group) => ({ group, on: push[group] })),
    serverKey: env().push?.publicKey ?? "",
  };
}

export function submitPush({ context, request }: Args) {
  const ctx = actorCtxOf(context);
  const doctor = ctx.actor.role === "doctor";
  const here = doctor ? href("/doctor/settings/push") : href("/patient/settings/push");
  return submitForm(request, PushFormSchema, async (input) => {
    switch (input.intent) {
      case "choose":
        await saveSettings(ctx, "push", Object.fromEntries(groupsOf(doctor).map((group) => [group, input[group]])));
        return redirectWithToast(here, m.push_saved());
      case "on":
        await addPushBrowser(ctx, sessionHashOf(context), input, request.headers.get("user-agent") ?? "");
        return redirectWithToast(here, m.push_turned_on());
      case "off":
        await removePushBrowser(ctx, input.browser);
        return redirectWithToast(here, m.push_turned_off());
    }
  });
}
