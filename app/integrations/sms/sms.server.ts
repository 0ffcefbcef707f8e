/** An SMS. `template` names a text of templates.ts and its language ("code", "code.te"): India allows registered (DLT) texts only. */
export type SmsMessage = { to: string; template: string; variables: Record<string, string>; body: string };
/** @throws DomainError("unavailable") when the provider does not accept the message */
export type SmsSender = { send(message: SmsMessage): Promise<void> };
