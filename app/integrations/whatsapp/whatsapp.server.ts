/** A message of WhatsApp. `choices`: buttons (three at most) or the rows of a list (ten), whose value comes back when one is pressed. */
export type WhatsAppMessage = {
  to: string;
  body: string;
  choices: { label: string; value: string; about?: string }[];
  as: "text" | "buttons" | "list";
};
/** @throws DomainError("unavailable") when the provider does not accept the message */
export type WhatsAppSender = {
  /** Returns the provider's id of the message. */
  send(message: WhatsAppMessage): Promise<{ id: string | null }>;
};
