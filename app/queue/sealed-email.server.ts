import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

type Email = { to: string; subject: string; body: string };
/** Jobs that wait were encrypted with this text: it must not change. */
const aboutOf = ({ to }: Email) => `jobs|letter|${to}`;

/** Encrypts the body of an email for the queue, because it may contain a login or invitation link. */
export const sealEmail = <L extends Email>(email: L): L => ({
  ...email,
  body: encrypt(email.body, env().encryptionKeys, aboutOf(email)),
});
/** Decrypts the body of an email from the queue. */
export const openEmail = <L extends Email>(email: L): L => ({
  ...email,
  body: decrypt(email.body, env().encryptionKeys, aboutOf(email)),
});
