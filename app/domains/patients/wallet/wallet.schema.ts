import { z } from "zod";

/** The forms of the wallet. `key` identifies a form, so that a second press changes nothing. */
export const WalletSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("complete"), mission: z.string().max(40) }),
  z.object({ intent: z.literal("redeem"), offer: z.string().max(40), key: z.string().min(8).max(100) }),
]);
