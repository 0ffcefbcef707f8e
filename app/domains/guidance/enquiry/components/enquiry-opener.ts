import { href } from "react-router";

/** Where the form is answered; the page of it for browsers without scripts. */
export const ENQUIRY_PATH = href("/patient/appointments/Query");

/** A link with `data-dialog={ENQUIRY_DIALOG}` opens the enquiry where scripts run, and leads to its page where none do. */
export const ENQUIRY_DIALOG = "enquiry";
