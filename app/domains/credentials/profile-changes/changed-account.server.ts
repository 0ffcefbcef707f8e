import { decrypt, encrypt } from "#app/lib/crypto.server.ts";
import { env } from "#app/runtime/env.server.ts";

/** Associated data is table, column and row: a number copied to another change does not decrypt. */
const placeOf = (changeId: string) => `profile_changes|account|${changeId}`;

/** Encrypts the account number of a pending change. */
export const sealChangedAccount = (changeId: string, number: string) => encrypt(number, env().encryptionKeys, placeOf(changeId));
/** Decrypts the number: to approve it, or for a reveal with an audit row. @throws when the key is gone or the value was moved. */
export const openChangedAccount = (changeId: string, sealed: string) => decrypt(sealed, env().encryptionKeys, placeOf(changeId));
