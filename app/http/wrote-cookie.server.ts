import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";
import { sessionToken } from "./session.server.ts";

/** The message that led a patient to SOS, encrypted. In no address and no row: SOS opens without the database. */
const NAME = "nadi_wrote";
const LIFE = 10 * 60;
/** Characters. More would push 108 down. */
const SHOWN = 120;

/** The value decrypts with the session that wrote it only: after a logout nobody reads it on a shared phone. */
const aboutOf = (cookieHeader: string | null) => `${NAME}|${sessionToken(cookieHeader) ?? ""}`;

export function wroteCookie({ headers }: Request, message: string): string {
  const line = [...message.replace(/\s+/g, " ").trim()];
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN).join("").trim()}…` : line.join("");
  return writeCookie(NAME, encrypt(shown, env().encryptionKeys, aboutOf(headers.get("cookie"))), LIFE);
}

/** Returns what the patient wrote; null for none, or in another session. */
export function readWrote({ headers }: Request): string | null {
  const header = headers.get("cookie");
  const sealed = readCookie(header, NAME);
  if (!sealed || sealed.length > 4000) return null;
  try {
    return decrypt(sealed, env().encryptionKeys, aboutOf(header));
  } catch {
    return null;
  }
}
