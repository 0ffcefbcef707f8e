/** One letter, plain text. */
export type EmailMessage = { to: string; subject: string; body: string };
/** @throws DomainError("unavailable") when the letter could not be handed over. */
export type EmailSender = { send(message: EmailMessage): Promise<void> };
