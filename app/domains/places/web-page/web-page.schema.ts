import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { MOST_ORIGINS, readOrigin } from "./origins.ts";

/** Lower case, and spaces as hyphens: what users type as a name becomes an address. */
const slug = z
  .string({ error: () => m.door_slug_invalid() })
  .trim()
  .toLowerCase()
  .overwrite((text) => text.replace(/[\s_]+/g, "-"))
  .min(3, { error: () => m.door_slug_invalid() })
  .max(60, { error: () => m.door_slug_invalid() })
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: () => m.door_slug_invalid() });

/** One website in a line. */
const origins = z
  .string()
  .max(2000, { error: () => m.door_origins_many({ max: MOST_ORIGINS }) })
  .optional()
  .transform((text = "", refused) => {
    const lines = text.split(/[\s,]+/).filter(Boolean);
    const found = lines.map(readOrigin);
    const wrong = lines.find((_, i) => found[i] === null);
    if (wrong !== undefined) refused.addIssue({ code: "custom", message: m.door_origin_invalid({ address: wrong.slice(0, 80) }) });
    const all = [...new Set(found.filter((one) => one !== null))];
    if (all.length > MOST_ORIGINS) refused.addIssue({ code: "custom", message: m.door_origins_many({ max: MOST_ORIGINS }) });
    return all;
  });

/** Forms of /clinic/:id/web. */
export const WebPageSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("name"), slug }),
  z.object({ intent: z.literal("origins"), origins }),
]);
