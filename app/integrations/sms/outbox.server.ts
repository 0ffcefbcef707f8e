import type { Database } from "#app/db/client.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { unavailable } from "../failure.server.ts";
import type { SmsSender } from "./sms.server.ts";

/** Demo mode: stores SMS in the database for /dev/outbox. */
export const outboxSms = (db: () => Database): SmsSender => ({
  async send({ to, body }) {
    try {
      await db().insert(outboxMessages).values({ channel: "sms", to, body });
    } catch (cause) {
      throw unavailable("the SMS outbox", cause);
    }
  },
});
