/** Outside services: one interface each, with a real client and an offline default. */
import type { EmailSender } from "./email/email.server.ts";
import type { Gemini } from "./gemini/gemini.server.ts";
import type { InboundSource } from "./inbound/inbound.server.ts";
import type { IpPlaces } from "./ip-place/ip-place.server.ts";
import type { Geocoder } from "./maps/geocoding.server.ts";
import type { HospitalSource } from "./maps/hospital-source.server.ts";
import type { PaymentProvider } from "./payments/payment-provider.server.ts";
import type { PublicPoster } from "./public-http/post-public.server.ts";
import type { PushSender } from "./push/push.server.ts";
import type { SmsSender } from "./sms/sms.server.ts";
import type { FileStore } from "./storage/storage.server.ts";
import type { VirusScanner } from "./virus-scan/virus-scan.server.ts";
import type { WhatsAppSender } from "./whatsapp/whatsapp.server.ts";

/** Hospital search; null: not configured. */
export type HospitalSources = { places: HospitalSource | null; overpass: HospitalSource | null };

export type Integrations = {
  sms: SmsSender;
  /** null: not configured; there are no conversations by WhatsApp. */
  whatsapp: WhatsAppSender | null;
  /** What providers report to /webhooks/message/{provider}, by provider. Empty: no channel is configured. */
  inbound: Readonly<Record<string, InboundSource>>;
  email: EmailSender;
  storage: FileStore;
  gemini: Gemini;
  /** null: not configured; our table of cities is used. */
  geocoder: Geocoder | null;
  ipPlaces: IpPlaces | null;
  hospitals: HospitalSources;
  /** null: not configured; the clinic records payments. */
  payments: PaymentProvider | null;
  /** Sends webhooks to the addresses that places gave. */
  postPublic: PublicPoster;
  /** null: not configured; there are no notifications of browsers. */
  push: PushSender | null;
  /** null: not configured; documents are checked by their content only. */
  virusScan: VirusScanner | null;
};
