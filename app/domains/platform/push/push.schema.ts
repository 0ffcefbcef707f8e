import { z } from "zod";

/** What a browser's PushSubscription consists of. The command checks address and keys. */
const address = { endpoint: z.string().max(1000), p256dh: z.string().max(100), auth: z.string().max(40) };

const choice = z.boolean().default(false);

/** The page of a browser's notifications: choose kinds, switch this browser on, switch a browser off. */
export const PushFormSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("choose"),
    appointments: choice,
    reminders: choice,
    waitlist: choice,
    documents: choice,
    payments: choice,
    reviews: choice,
    account: choice,
  }),
  z.object({ intent: z.literal("on"), ...address }),
  z.object({ intent: z.literal("off"), browser: z.string().max(60) }),
]);

/** The service worker reports its subscription, and what replaces it. */
export const PushReportSchema = z.object({
  endpoint: address.endpoint,
  next: address.endpoint.optional(),
  p256dh: address.p256dh.optional(),
  auth: address.auth.optional(),
});
