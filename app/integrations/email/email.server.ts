/** A plain-text email. */
export type EmailMessage = { to: string; subject: string; body: string };
/** @throws DomainError("unavailable") when the email could not be sent */
export type EmailSender = { send(message: EmailMessage): Promise<void> };
