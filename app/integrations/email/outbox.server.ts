import type { Database } from "#app/db/client.server.ts";
import { outboxMessages } from "#app/db/schema/index.ts";
import { unavailable } from "../failure.server.ts";
import type { EmailSender } from "./email.server.ts";

/** Demo mode: stores emails in the database for /dev/outbox. */
export const outboxEmail = (db: () => Database): EmailSender => ({
  async send({ to, subject, body }) {
    try {
      await db().insert(outboxMessages).values({ channel: "email", to: to.toLowerCase(), subject, body });
    } catch (cause) {
      throw unavailable("the email outbox", cause);
    }
  },
});
