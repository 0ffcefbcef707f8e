import { z } from "zod";
import type { Point } from "#app/domains/platform/location/distance.ts";
import type { Gemini } from "#app/integrations/gemini/gemini.server.ts";
import type { FoundHospital } from "./merge-hospitals.ts";

const SYSTEM =
  "You list real hospitals in India for a user in an emergency. Answer with a JSON array and nothing else. Never invent a hospital or a phone number: leave out what you do not know.";

/** Strict schema: anything else is refused. */
const Answer = z
  .array(
    z.strictObject({
      name: z.string().min(2).max(120),
      address: z.string().max(240).nullish(),
      phone: z.string().max(60).nullish(),
    }),
  )
  .max(10);

/**
 * Asks the model for the three nearest hospitals within 2 km (spec 001 §4.5). The result is unverified.
 * @throws DomainError("unavailable") or ZodError
 */
export async function askModel(gemini: Gemini, { latitude, longitude }: Point, limit: number): Promise<FoundHospital[]> {
  // Three decimals, about 100 metres: accurate enough, and reveals less about the user.
  const place = `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`;
  const { text } = await gemini.ask({
    system: SYSTEM,
    turns: [
      {
        role: "user",
        text: `The 3 nearest hospitals within 2 km of latitude, longitude ${place}, nearest first. Each as {"name": string, "address": string, "phone": string or null}. An empty array if you know none.`,
      },
    ],
    purpose: "emergency",
    json: true,
    limit,
  });
  const list = Answer.parse(JSON.parse(text.trim().replace(/^```(?:json)?\s*|\s*```$/g, "")));
  return list
    .slice(0, 3)
    .map(({ name, address, phone }) => ({ name, address: address ?? "", phone: phone ?? null, latitude: null, longitude: null }));
}
