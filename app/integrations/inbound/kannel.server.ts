import { z } from "zod";
import { sameSecret } from "#app/lib/ids.server.ts";
import { forbidden, type InboundSource, invalid } from "./inbound.server.ts";

const Sms = z.object({
  id: z.uuid(),
  from: z.string().max(40),
  to: z.string().max(40),
  /** In UTC, as Kannel writes it. */
  time: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
  text: z.string().max(5_000),
});

/** SMS from an operator over SMPP, which the gateway Kannel posts with our secret as its password (deploy/kannel.conf). */
export const kannelInbound = (secret: string): InboundSource => ({
  read({ raw, headers, query }) {
    const expected = `Basic ${Buffer.from(`nadi:${secret}`).toString("base64")}`;
    if (!sameSecret(headers.get("authorization") ?? "", expected)) throw forbidden();
    const sms = Sms.safeParse({
      id: query.get("id"),
      from: headers.get("x-kannel-from"),
      to: headers.get("x-kannel-to"),
      time: headers.get("x-kannel-time"),
      text: textOf(raw, headers.get("content-type") ?? ""),
    }).data;
    if (!sms) throw invalid();
    const sentAt = new Date(`${sms.time.replace(" ", "T")}Z`);
    return [{ providerId: sms.id, channel: "sms", from: sms.from, kind: "text", text: sms.text, sentAt }];
  },
});

/** Returns the text in the character set that its header names: a gateway without `mo-recode` posts UTF-16. */
function textOf(raw: Uint8Array, type: string): string | null {
  try {
    return new TextDecoder(/utf-16/i.test(type) ? "utf-16be" : "utf-8", { fatal: true }).decode(raw);
  } catch {
    return null;
  }
}
