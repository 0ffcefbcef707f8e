import { href } from "react-router";

/** The page that handles the form, also without JavaScript. */
export const ENQUIRY_PATH = href("/patient/appointments/Query");

/** A link with `data-dialog={ENQUIRY_DIALOG}` opens the dialog with JavaScript, and the page without. */
export const ENQUIRY_DIALOG = "enquiry";
