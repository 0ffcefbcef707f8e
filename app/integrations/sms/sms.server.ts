/** One text message. `template` names an entry of templates.ts: India allows registered (DLT) texts only. */
export type SmsMessage = { to: string; template: string; variables: Record<string, string>; body: string };
/** @throws DomainError("unavailable") when the provider does not take the message. */
export type SmsSender = { send(message: SmsMessage): Promise<void> };
