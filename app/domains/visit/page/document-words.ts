import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { certificateWord, stateWord } from "../documents/words.ts";
import type { ShownOrder } from "../records/orders.server.ts";
import type { ShownCertificate } from "./shown-visit.ts";

/** A signed document below the form of a visit. The server writes the words: the page of the form has many scripts already. */
export type ShownDocument = {
  documentId: string;
  title: string;
  /** The word of the state. */
  badge: string;
  text: string;
  print: string;
  /** Its results, and what is shown without one. Null: it has none. */
  results: { files: { fileId: string; text: string }[]; none: string } | null;
  /** The pages that correct it and add a result. Empty when it is not valid any more. */
  links: { to: string; text: string }[];
  /** The words of cancelling it; null when it is not valid any more. */
  cancel: { open: string; sure: string; yes: string } | null;
};

/** Returns what the page of a visit shows of an order of tests. `form`: the URL of its form. */
export const orderWords = ({ documentId, state, tests, results }: ShownOrder, form: string): ShownDocument => ({
  documentId,
  title: m.order_title(),
  badge: stateWord(state),
  text: tests.join(", "),
  print: m.visit_print(),
  results: {
    files: results.map(({ fileId, description, date }) => ({
      fileId,
      text: m.order_result({ name: description, date: formatDate(date) }),
    })),
    none: state === "signed" ? m.order_no_result() : "",
  },
  links:
    state === "signed"
      ? [
          { to: `${form}/${documentId}/result`, text: m.order_add_result() },
          { to: `${form}?replaces=${documentId}`, text: m.order_correct() },
        ]
      : [],
  cancel: state === "signed" ? { open: m.order_cancel(), sure: m.certificate_cancel_sure(), yes: m.order_cancel_yes() } : null,
});

/** Returns what the page of a visit shows of a certificate. */
export const certificateWords = ({ documentId, state, type, from, until }: ShownCertificate): ShownDocument => ({
  documentId,
  title: certificateWord(type),
  badge: stateWord(state),
  text: until === null ? formatDate(from) : `${formatDate(from)} – ${formatDate(until)}`,
  print: m.visit_print(),
  results: null,
  links: [],
  cancel: state === "signed" ? { open: m.certificate_cancel(), sure: m.certificate_cancel_sure(), yes: m.certificate_cancel_yes() } : null,
});
