/**
 * A plain-text email. `id`: of the job or notification that sends it. A job that died after sending sends again: the copy has the same
 * Message-ID, by which mail servers recognise it. `calendar`: an iCalendar message with its method.
 */
export type EmailMessage = {
  to: string;
  subject: string;
  body: string;
  id: string;
  calendar?: { method: "REQUEST" | "CANCEL"; content: string } | null;
};
/** @throws DomainError("unavailable") when the email could not be sent */
export type EmailSender = { send(message: EmailMessage): Promise<void> };
