import { z } from "zod";

/** What the wallet's buttons post. `key`: the form's own, so that a second press is the first one. */
export const WalletSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("complete"), mission: z.string().max(40) }),
  z.object({ intent: z.literal("redeem"), offer: z.string().max(40), key: z.string().min(8).max(100) }),
]);
