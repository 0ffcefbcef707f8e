import { z } from "zod";
import { CoordinatesSchema } from "#app/domains/platform/location/location.schema.ts";

/** The forms of the emergency page. A post without an intent is a press of SOS. */
export const SosSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("press") }),
  CoordinatesSchema.extend({ intent: z.literal("locate") }),
  z.object({ intent: z.literal("place"), place: z.string().trim().max(100).default("") }),
  /** The city that was chosen before, when the browser gave no position. */
  z.object({ intent: z.literal("city"), city: z.coerce.number().int().min(1).max(2_147_483_647) }),
  /** The browser gave no position. */
  z.object({ intent: z.literal("lost"), reason: z.enum(["denied", "no-location"]) }),
  z.object({ intent: z.literal("stop") }),
  z.object({ intent: z.literal("over") }),
]);
