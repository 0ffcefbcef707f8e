import type { Database } from "#app/db/client.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { unavailable } from "../failure.server.ts";
import type { WhatsAppSender } from "./whatsapp.server.ts";

/** Demo mode: stores messages in the database for /dev/outbox and /dev/phone. */
export const outboxWhatsApp = (db: () => Database): WhatsAppSender => ({
  async send({ to, body, choices }) {
    const buttons = choices.map(({ label }) => `[${label}]`).join(" ");
    try {
      await db()
        .insert(outboxMessages)
        .values({ channel: "whatsapp", to, body: buttons ? `${body}\n${buttons}` : body });
      return { id: null };
    } catch (cause) {
      throw unavailable("the WhatsApp outbox", cause);
    }
  },
});
