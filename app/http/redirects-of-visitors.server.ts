/** Where the specification has a redirect or message of its own for a request without a session, by the pattern of its route. */
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { redirectTo, redirectWithToast } from "./redirects.server.ts";

const toLogin = (login: string, message: () => string) => () => redirectWithToast(login, message(), { type: "error" });
const ofChat = toLogin(`${href("/dual-patient")}?redirectTo=${href("/patient/ai-chat")}`, m.assistant_please_login);
const ofDoctorChat = toLogin(href("/doctor-verify"), m.assistant_doctor_login);
const ofProfileView = () => redirectTo(href("/doctor/login"));

const REDIRECTS: Record<string, { get?: () => Response; post?: () => Response }> = {
  // Spec 001 §5, §8.
  [href("/patient/ai-chat")]: { post: ofChat },
  [href("/patient/chat")]: { post: ofChat },
  [href("/patient/ai-chat/delete")]: { post: toLogin(href("/dual-patient"), m.assistant_no_patient) },
  // Spec 000 §5.
  [href("/banking-information")]: { post: toLogin(href("/dual-doctor"), m.application_doctor_missing) },
  // Spec 000 §2, §8.
  [href("/doctor/ai-chat")]: { get: ofDoctorChat, post: ofDoctorChat },
  [href("/doctor/ai-chat/ask")]: { get: ofDoctorChat, post: ofDoctorChat },
  [href("/doctor/ai-chat/clear")]: { get: ofDoctorChat, post: ofDoctorChat },
  [href("/doctor/profile-view")]: { get: ofProfileView, post: ofProfileView },
  [href("/doctor/profile/edit")]: { post: toLogin(href("/dual-doctor"), m.profile_not_authenticated) },
};

/** Returns the redirect of the specification; undefined: to the login, as everywhere. */
export const redirectOfVisitor = (pattern: string, method: string): Response | undefined =>
  REDIRECTS[`/${pattern}`]?.[method === "GET" || method === "HEAD" ? "get" : "post"]?.();
