import { env } from "#app/env.server.ts";
import { decrypt, encrypt } from "#app/lib/crypto.server.ts";

type Letter = { to: string; subject: string; body: string };
const placeOf = ({ to }: Letter) => `jobs|letter|${to}`;

/** A letter may carry a link that opens a door: while it waits in the queue, and is kept there after it went, only we can read it. */
export const sealLetter = <L extends Letter>(letter: L): L => ({
  ...letter,
  body: encrypt(letter.body, env().encryptionKeys, placeOf(letter)),
});
export const openLetter = <L extends Letter>(letter: L): L => ({
  ...letter,
  body: decrypt(letter.body, env().encryptionKeys, placeOf(letter)),
});
