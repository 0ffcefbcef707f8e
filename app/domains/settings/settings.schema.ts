import { z } from "zod";

/** The two switches of the settings page. A box that is not ticked is not sent. */
export const NotificationSettingsSchema = z.object({ email: z.boolean().default(false), sms: z.boolean().default(false) });
