import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** A sealed number that was copied to another change does not open: table, column and row are associated data. */
const placeOf = (changeId: string) => `profile_changes|account|${changeId}`;

/** The account number of a change that waits, as it is kept. */
export const sealChangedAccount = (changeId: string, number: string) => encrypt(number, env().encryptionKeys, placeOf(changeId));
/** The number in full: to approve it, or for a reveal that is logged. @throws when the key is gone or the value was moved. */
export const openChangedAccount = (changeId: string, sealed: string) => decrypt(sealed, env().encryptionKeys, placeOf(changeId));
