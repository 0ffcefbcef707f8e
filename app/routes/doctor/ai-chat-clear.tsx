import { href } from "react-router";
import { deleteChats } from "#app/domains/guidance/assistant/delete-chats.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/ai-chat-clear.ts";

const CHAT = href("/doctor/ai-chat");
export const loader = load(() => null);

export async function action({ context }: Route.ActionArgs) {
  try {
    await deleteChats(actorCtxOf(context));
  } catch (error) {
    noteFault(error, "clearing a chat");
    return redirectWithToast(CHAT, m.assistant_doctor_clear_failed(), { type: "error" });
  }
  return redirectWithToast(CHAT, m.assistant_doctor_cleared());
}

export default function ClearChat() {
  const [form] = useNadiForm({ id: "clear-chat" });
  return (
    <Page back={{ to: CHAT }}>
      <ConfirmCard
        icon="trash-2"
        title={m.assistant_doctor_clear_title()}
        text={m.assistant_doctor_clear_text()}
        actions={<YesNo form={form} yes={m.assistant_doctor_clear_yes()} back={CHAT} no={m.assistant_delete_no()} />}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.assistant_doctor_clear() }) }];
