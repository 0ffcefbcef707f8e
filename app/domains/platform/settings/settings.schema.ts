import { z } from "zod";

/** The two switches of the settings page. Browsers do not send unchecked boxes. */
const NotificationSettingsSchema = z.object({ email: z.boolean().default(false), sms: z.boolean().default(false) });

const EndOthersSchema = z.object({ intent: z.literal("end-others") });
const RevokeAppSchema = z.object({ intent: z.literal("revoke-app"), app: z.string().max(60) });

/** The settings page posts the switches, the size of text, ends the other sessions, or revokes the token of an app. */
export const SettingsFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), ...NotificationSettingsSchema.shape }),
  z.object({ intent: z.literal("text-size"), size: z.enum(["normal", "larger"]) }),
  EndOthersSchema,
  RevokeAppSchema,
]);

/** /account/security ends one or all other sessions, or revokes the token of an app. */
export const SecurityFormSchema = z.discriminatedUnion("intent", [
  EndOthersSchema,
  RevokeAppSchema,
  z.object({ intent: z.literal("end-session"), session: z.string().max(60) }),
]);
