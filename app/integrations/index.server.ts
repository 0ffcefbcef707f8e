/** The outside world behind one interface each: its real client, or its offline default (contract.md). */
import type { EmailSender } from "./email/email.server.ts";
import type { Gemini } from "./gemini/gemini.server.ts";
import type { IpPlaces } from "./ip-place/ip-place.server.ts";
import type { Geocoder } from "./maps/geocoding.server.ts";
import type { HospitalSource } from "./maps/hospital-source.server.ts";
import type { SmsSender } from "./sms/sms.server.ts";
import type { FileStore } from "./storage/storage.server.ts";

/** The maps that are asked for hospitals; null: not set. */
export type HospitalSources = { places: HospitalSource | null; overpass: HospitalSource | null };

export type Integrations = {
  sms: SmsSender;
  email: EmailSender;
  storage: FileStore;
  gemini: Gemini;
  /** null: not configured; the own table of cities answers. */
  geocoder: Geocoder | null;
  ipPlaces: IpPlaces | null;
  hospitals: HospitalSources;
};
