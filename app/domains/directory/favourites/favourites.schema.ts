import { z } from "zod";
import type { Favourite, FavouriteKind } from "./favourite.ts";

export const FavouriteKeySchema = z
  .string()
  .regex(/^(doctor|hospital)\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .transform((key): Favourite => {
    const [kind, id] = key.split("/") as [FavouriteKind, string];
    return { kind, id: id.toLowerCase() };
  });

/**
 * The form of a heart. The button sends the wished state (`add` or `remove`), so that a second press changes nothing. `from`: the
 * page of the heart. `stay`: sent by the script, which stays on the page.
 */
export const PressSchema = z
  .object({
    add: FavouriteKeySchema.optional(),
    remove: FavouriteKeySchema.optional(),
    from: z.string().max(2000).optional(),
    stay: z.literal("1").optional(),
  })
  .refine((press) => (press.add === undefined) !== (press.remove === undefined));
