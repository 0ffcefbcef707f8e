import { z } from "zod";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";

/** Approximate position of an IP address: the centre of a city in degrees, or null when unknown. */
export interface IpPlaces {
  /** @throws DomainError("unavailable") */
  placeOf(ip: string): Promise<{ latitude: number; longitude: number } | null>;
}

const LIMIT = seconds(4);
const SERVICE = "IP lookup";

/** Responses of ipapi.co, ipwho.is (`latitude`, `longitude`) and ip-api.com (`lat`, `lon`). */
const AnswerSchema = z
  .object({ latitude: z.number(), longitude: z.number() })
  .or(z.object({ lat: z.number(), lon: z.number() }).transform(({ lat, lon }) => ({ latitude: lat, longitude: lon })))
  .refine(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);

/** @param template the URL of the service with `{ip}`; without it the IP address is appended to the path */
export function ipPlaces(template: string, limit = LIMIT): IpPlaces {
  return {
    async placeOf(ip) {
      const at = encodeURIComponent(ip);
      const url = /\{ip\}|%7Bip%7D/i.test(template) ? template.replace(/\{ip\}|%7Bip%7D/i, at) : `${template}/${at}`;
      const { status, json } = await callJson(SERVICE, url, { headers: { accept: "application/json" } }, limit);
      if (status !== 200) throw unavailable(SERVICE, `status ${status}`);
      return AnswerSchema.safeParse(json).data ?? null;
    },
  };
}
