import type { Language } from "#app/lib/language.ts";

/** A message of WhatsApp. `choices`: buttons (three at most) or the rows of a list (ten), whose value comes back when one is pressed. */
export type WhatsAppMessage = {
  /** Our id, which comes back with what the provider reports about the message. */
  id: string;
  /** A phone, or Meta's id of a user without one. */
  to: string;
  language: Language;
  body: string;
  choices: { label: string; value: string; about?: string }[];
  as: "text" | "buttons" | "list";
  /** The approved text that the body is, with its variables (templates.ts). Another one is allowed for 24 hours after the user wrote. */
  template?: { name: string; variables: { name: string; value: string }[] };
};
/** @throws DomainError("unavailable") when the provider is down or asks to wait: the message is sent again later */
export type WhatsAppSender = {
  /** Returns the provider's id of the message. `refused`: the provider's code for why it will not send it. */
  send(message: WhatsAppMessage): Promise<{ id: string | null } | { refused: number }>;
};
