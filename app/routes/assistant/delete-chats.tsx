import { href } from "react-router";
import { deleteChats } from "#app/domains/guidance/assistant/delete-chats.server.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault, orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/delete-chats.ts";

/** A patient deletes all chats; a doctor has one. */
const OF = {
  patient: {
    chat: href("/patient/ai-chat"),
    page: m.assistant_delete_all,
    title: m.assistant_delete_title,
    text: m.assistant_delete_text,
    yes: m.assistant_delete_yes,
  },
  doctor: {
    chat: href("/doctor/ai-chat"),
    page: m.assistant_doctor_clear,
    title: m.assistant_doctor_clear_title,
    text: m.assistant_doctor_clear_text,
    yes: m.assistant_doctor_clear_yes,
  },
};

export const loader = load(({ context }: Route.LoaderArgs) => areaIn(context, "patient", "doctor"));

export async function action({ context }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  if (areaIn(context, "patient", "doctor") === "patient") {
    await orRefuse(() => deleteChats(ctx));
    return redirectWithToast(OF.patient.chat, m.assistant_deleted());
  }
  try {
    await deleteChats(ctx);
  } catch (error) {
    noteFault(error, "clearing a chat");
    return redirectWithToast(OF.doctor.chat, m.assistant_doctor_clear_failed(), { type: "error" });
  }
  return redirectWithToast(OF.doctor.chat, m.assistant_doctor_cleared());
}

export default function DeleteChats({ loaderData: area }: Route.ComponentProps) {
  const { chat, title, text, yes } = OF[area];
  return <ConfirmPage back={{ to: chat }} icon="trash-2" question={title()} text={text()} yes={yes()} no={m.assistant_delete_no()} />;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: m.ui_title({ page: OF[loaderData ?? "patient"].page() }) }];
