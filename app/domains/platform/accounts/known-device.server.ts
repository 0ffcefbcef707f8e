/**
 * Devices that logged in before. A known device has its own reserve of codes, so that strangers who use up the codes of a phone
 * never lock its owner out (docs/decisions/003). It is no proof of identity: only limits read it.
 */
import type { OtpPurpose } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hmac } from "#app/lib/crypto.server.ts";
import { randomToken, sameSecret } from "#app/lib/ids.server.ts";
import type { Phone } from "#app/lib/phone.ts";
import { env } from "#app/runtime/env.server.ts";

/** Most phones that a browser remembers: a family shares a phone, a doctor is also a patient. */
const MOST = 8;
/** A random id, then one mark for each phone. Contains no phone or purpose. */
const FORM = /^[\w-]{22}(\.[0-9a-f]{32}){1,8}$/;

/** Patients and staff have different accounts for one phone: a login as one does not make the device known for the other. */
const accountOf = (purpose: OtpPurpose) => (purpose === "patient-login" ? "patient" : "staff");
const markOf = (secret: string, id: string, purpose: OtpPurpose, phone: Phone) =>
  hmac(`${id}|${accountOf(purpose)}|${phone}`, secret, "known-device").slice(0, 32);

/** Returns the id of the caller's device if it has logged in with this phone before; otherwise null. */
export function knownDevice(ctx: Ctx, purpose: OtpPurpose, phone: Phone): string | null {
  if (!ctx.device || !FORM.test(ctx.device)) return null;
  const [id = "", ...marks] = ctx.device.split(".");
  const right = env().sessionSecrets.some((secret) => {
    const mark = markOf(secret, id, purpose, phone);
    return marks.some((given) => sameSecret(given, mark));
  });
  return right ? id : null;
}

/** Returns the new cookie value for a device that has just logged in with this phone. */
export function rememberDevice(ctx: Ctx, purpose: OtpPurpose, phone: Phone): string {
  const [id = "", ...marks] = ctx.device && FORM.test(ctx.device) ? ctx.device.split(".") : [randomToken().slice(0, 22)];
  const mark = markOf(env().sessionSecrets[0], id, purpose, phone);
  return [id, ...[...marks.filter((m) => m !== mark), mark].slice(-MOST)].join(".");
}
