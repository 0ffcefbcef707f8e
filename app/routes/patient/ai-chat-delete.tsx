import { href } from "react-router";
import { deleteChats } from "#app/domains/guidance/assistant/delete-chats.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/ai-chat-delete.ts";

const CHAT = href("/patient/ai-chat");

export const loader = load(() => null);

export async function action({ context }: Route.ActionArgs) {
  await orRefuse(() => deleteChats(actorCtxOf(context)));
  return redirectWithToast(CHAT, m.assistant_deleted());
}

export default function DeleteChats() {
  const [form] = useNadiForm({ id: "delete-chats" });
  return (
    <Page back={{ to: CHAT }}>
      <ConfirmCard
        icon="trash-2"
        title={m.assistant_delete_title()}
        text={m.assistant_delete_text()}
        actions={<YesNo form={form} yes={m.assistant_delete_yes()} back={CHAT} no={m.assistant_delete_no()} />}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.assistant_delete_all() }) }];
