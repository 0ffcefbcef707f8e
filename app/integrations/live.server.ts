import { join } from "node:path";
import { db } from "#app/db/pool.server.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { env } from "#app/runtime/env.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { outboxEmail } from "./email/outbox.server.ts";
import { smtpEmail } from "./email/smtp.server.ts";
import { noGemini } from "./gemini/gemini.server.ts";
import { googleGemini } from "./gemini/google.server.ts";
import { type InboundSource, missedCalls, msg91Inbound, twilioInbound } from "./inbound/inbound.server.ts";
import { kannelInbound } from "./inbound/kannel.server.ts";
import { whatsAppInbound } from "./inbound/whatsapp.server.ts";
import type { Integrations } from "./index.server.ts";
import { ipPlaces } from "./ip-place/ip-place.server.ts";
import { googleGeocoder } from "./maps/geocoding.server.ts";
import { googlePlaces } from "./maps/google-places.server.ts";
import { overpass } from "./maps/overpass.server.ts";
import { razorpay } from "./payments/razorpay.server.ts";
import { publicPoster } from "./public-http/post-public.server.ts";
import { webPush } from "./push/web-push.server.ts";
import { kannel } from "./sms/kannel.server.ts";
import { msg91 } from "./sms/msg91.server.ts";
import { outboxSms } from "./sms/outbox.server.ts";
import type { SmsSender } from "./sms/sms.server.ts";
import { twilio } from "./sms/twilio.server.ts";
import { filesystemStore } from "./storage/filesystem.server.ts";
import { s3Store } from "./storage/s3.server.ts";
import type { FileStore } from "./storage/storage.server.ts";
import { clamd } from "./virus-scan/clamd.server.ts";
import { whatsAppCloud } from "./whatsapp/cloud.server.ts";
import { outboxWhatsApp } from "./whatsapp/outbox.server.ts";

function sms(): SmsSender {
  const { provider, msg91: keys, twilio: account, kannel: gateway } = env().sms;
  if (provider === "kannel") return kannel(gateway);
  if (provider === "msg91") return msg91(keys);
  if (provider === "twilio") return twilio(account);
  return outboxSms(db);
}

/** Returns the providers whose messages and calls are answered. */
function inbound(): Record<string, InboundSource> {
  const { inboundProvider, missedCallSecret, msg91: keys, twilio: account, kannel: gateway } = env().sms;
  return {
    ...(inboundProvider === "twilio" && { twilio: twilioInbound(account.authToken) }),
    ...(inboundProvider === "msg91" && { msg91: msg91Inbound(keys.inboundSecret) }),
    ...(inboundProvider === "kannel" && { kannel: kannelInbound(gateway.inboundSecret) }),
    ...(env().whatsApp && { whatsapp: whatsAppInbound(env().whatsApp!) }),
    ...(missedCallSecret && { call: missedCalls(missedCallSecret) }),
  };
}

/** Returns the store of uploaded files. */
export function storage(): FileStore {
  const { s3, dataDir } = env();
  return s3 ? s3Store(s3) : filesystemStore(join(dataDir, "files"));
}

let current: Integrations | undefined;
forgetWith(() => {
  current = undefined;
});

/** Returns the configured services of this process, created at first use. */
export function integrations(): Integrations {
  const { mail, gemini, maps, ipGeoUrl, overpassUrl, gateway, push, clamd: scanner, whatsApp } = env();
  const postPublic = publicPoster({ testOrigin: env().webhookTestOrigin });
  current ??= {
    sms: sms(),
    inbound: inbound(),
    whatsapp: whatsApp ? whatsAppCloud(whatsApp) : env().demo ? outboxWhatsApp(db) : null,
    email: mail.smtpUrl ? smtpEmail({ url: mail.smtpUrl, from: mail.from }) : outboxEmail(db),
    storage: storage(),
    gemini: gemini.apiKey
      ? googleGemini(
          { ...gemini, apiKey: gemini.apiKey },
          { onRetired: (model, next) => log.warn({ model, next }, "Gemini no longer has the model: change GEMINI_MODEL") },
        )
      : noGemini,
    geocoder: maps.serverKey ? googleGeocoder({ key: maps.serverKey, baseUrl: maps.baseUrl }) : null,
    ipPlaces: ipGeoUrl ? ipPlaces(ipGeoUrl) : null,
    postPublic,
    push: push ? webPush(push, postPublic) : null,
    virusScan: scanner ? clamd(scanner) : null,
    payments: gateway ? razorpay(gateway) : null,
    hospitals: {
      places: maps.serverKey ? googlePlaces({ key: maps.serverKey, baseUrl: maps.baseUrl }) : null,
      overpass: overpassUrl ? overpass(overpassUrl) : null,
    },
  };
  return current;
}
