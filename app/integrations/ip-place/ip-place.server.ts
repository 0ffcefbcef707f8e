import { z } from "zod";
import { seconds } from "#app/lib/durations.ts";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";

/** Roughly where an internet address is used: the middle of a city, degrees; null where the service does not know. */
export interface IpPlaces {
  /** @throws DomainError("unavailable") */
  placeOf(ip: string): Promise<{ latitude: number; longitude: number } | null>;
}

const LIMIT = seconds(4);
const SERVICE = "IP lookup";

/** What ipapi.co, ipwho.is (`latitude`, `longitude`) and ip-api.com (`lat`, `lon`) answer. */
const AnswerSchema = z
  .object({ latitude: z.number(), longitude: z.number() })
  .or(z.object({ lat: z.number(), lon: z.number() }).transform(({ lat, lon }) => ({ latitude: lat, longitude: lon })))
  .refine(({ latitude, longitude }) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180);

/** @param template the service's address with `{ip}` where the person's address goes; without it, it is the last part of the path. */
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
