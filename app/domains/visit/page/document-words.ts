import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { certificateWord } from "../documents/words.ts";
import type { ShownCertificate } from "./shown-visit.ts";

/** A signed document below the form of a visit. The server writes the words: the page of the form has many scripts already. */
export type ShownDocument = {
  documentId: string;
  title: string;
  /** The word of the state. */
  badge: string;
  text: string;
  print: string;
  /** The words of cancelling it; null when it is not valid any more. */
  cancel: { open: string; sure: string; yes: string } | null;
};

/** Returns what the page of a visit shows of a certificate. */
export const certificateWords = ({ documentId, state, type, from, until }: ShownCertificate): ShownDocument => ({
  documentId,
  title: certificateWord(type),
  badge: state === "signed" ? m.visit_state_signed() : m.visit_state_cancelled(),
  text: until === null ? formatDate(from) : `${formatDate(from)} – ${formatDate(until)}`,
  print: m.visit_print(),
  cancel: state === "signed" ? { open: m.certificate_cancel(), sure: m.certificate_cancel_sure(), yes: m.certificate_cancel_yes() } : null,
});
