import { and, asc, eq, gt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { doctorBankAccounts, doctors, profileChanges, verificationDrafts } from "#app/db/schema/index.ts";
import { env } from "#app/env.server.ts";
import { decrypt, encrypt, isSealedByFirst } from "#app/lib/crypto.server.ts";
import { openChangedAccount, sealChangedAccount } from "../doctors/changed-account.server.ts";
import { placeOfStep } from "./draft-store.server.ts";
import { macOf, openNumber, sealNumber } from "./numbers.server.ts";

const PAGE = 500;

/** Walks a table by its id, a page at a time. */
async function eachRow<Row extends { id: string }>(read: (after: string) => Promise<Row[]>, work: (row: Row) => Promise<unknown>) {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await read(after);
    for (const row of rows) await work(row);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/**
 * Seals anew, with the first key, every number and draft that an older key of the list sealed; the older ones may go then.
 * A value that somebody changes meanwhile is left to them: they seal with the first key too. Safe to repeat.
 * @returns how many values were sealed anew
 * @throws when a value opens with no key of the list
 */
export async function resealNumbers(db: Db): Promise<number> {
  const keys = env().encryptionKeys;
  let count = 0;
  const old = (sealed: string | null): sealed is string => sealed !== null && sealed !== "" && !isSealedByFirst(sealed, keys);

  await eachRow(
    (after) =>
      db
        .select({ id: doctors.id, aadhaar: doctors.aadhaarSealed, pan: doctors.panSealed })
        .from(doctors)
        .where(gt(doctors.id, after))
        .orderBy(asc(doctors.id))
        .limit(PAGE),
    async ({ id, aadhaar, pan }) => {
      if (old(aadhaar)) {
        const plain = openNumber("aadhaar", id, aadhaar);
        const set = { aadhaarSealed: sealNumber("aadhaar", id, plain), aadhaarMac: macOf("aadhaar", plain) };
        count += (
          await db
            .update(doctors)
            .set(set)
            .where(and(eq(doctors.id, id), eq(doctors.aadhaarSealed, aadhaar)))
        ).count;
      }
      if (old(pan)) {
        const plain = openNumber("pan", id, pan);
        const set = { panSealed: sealNumber("pan", id, plain), panMac: macOf("pan", plain) };
        count += (
          await db
            .update(doctors)
            .set(set)
            .where(and(eq(doctors.id, id), eq(doctors.panSealed, pan)))
        ).count;
      }
    },
  );
  await eachRow(
    (after) =>
      db
        .select({ id: doctorBankAccounts.doctorId, account: doctorBankAccounts.accountSealed })
        .from(doctorBankAccounts)
        .where(gt(doctorBankAccounts.doctorId, after))
        .orderBy(asc(doctorBankAccounts.doctorId))
        .limit(PAGE),
    async ({ id, account }) => {
      if (!old(account)) return;
      const accountSealed = sealNumber("account", id, openNumber("account", id, account));
      const same = and(eq(doctorBankAccounts.doctorId, id), eq(doctorBankAccounts.accountSealed, account));
      count += (await db.update(doctorBankAccounts).set({ accountSealed }).where(same)).count;
    },
  );
  await eachRow(
    (after) =>
      db
        .select({ id: profileChanges.id, account: profileChanges.accountSealed })
        .from(profileChanges)
        .where(gt(profileChanges.id, after))
        .orderBy(asc(profileChanges.id))
        .limit(PAGE),
    async ({ id, account }) => {
      if (!old(account)) return;
      const accountSealed = sealChangedAccount(id, openChangedAccount(id, account));
      const same = and(eq(profileChanges.id, id), eq(profileChanges.accountSealed, account));
      count += (await db.update(profileChanges).set({ accountSealed }).where(same)).count;
    },
  );
  const STEPS = ["hospital", "professional", "bank"] as const;
  await eachRow(
    (after) =>
      db
        .select({
          id: verificationDrafts.doctorId,
          hospital: verificationDrafts.hospital,
          professional: verificationDrafts.professional,
          bank: verificationDrafts.bank,
        })
        .from(verificationDrafts)
        .where(gt(verificationDrafts.doctorId, after))
        .orderBy(asc(verificationDrafts.doctorId))
        .limit(PAGE),
    async ({ id, ...steps }) => {
      for (const step of STEPS) {
        const sealed = steps[step];
        if (!old(sealed)) continue;
        const place = placeOfStep(step, id);
        const anew = encrypt(decrypt(sealed, keys, place), keys, place);
        const same = and(eq(verificationDrafts.doctorId, id), eq(verificationDrafts[step], sealed));
        count += (
          await db
            .update(verificationDrafts)
            .set({ [step]: anew })
            .where(same)
        ).count;
      }
    },
  );
  return count;
}
