import { href } from "react-router";

/** The list of a user's questions, and the page that leads to it. */
export const supportPaths = (role: string) =>
  role === "patient"
    ? { base: href("/patient/support"), back: href("/patient/contact-us") }
    : { base: href("/account/support"), back: href("/account/security") };
