import { createTransport } from "nodemailer";
import { unavailable } from "../failure.server.ts";
import { CALL_LIMIT } from "../http-call.server.ts";
import { addressOf } from "./address.ts";
import type { EmailSender } from "./email.server.ts";

/** Sends emails through an SMTP server ("smtp://user:password@host:587", "smtps://…"). No retry here: a job decides. */
export function smtpEmail({ url, from }: { url: string; from: string }, limit = CALL_LIMIT): EmailSender {
  const transport = createTransport({
    url,
    connectionTimeout: limit,
    greetingTimeout: limit,
    socketTimeout: limit,
    dnsTimeout: limit,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([\w.-]+)/.exec(addressOf(from))?.[1] ?? "localhost";
  return {
    async send({ to, subject, body, id, calendar }) {
      let deadline: NodeJS.Timeout | undefined;
      try {
        // The transport's timeouts are per step: a server that trickles lines could delay the request for minutes.
        const late = new Promise<never>((_, reject) => {
          deadline = setTimeout(() => reject(new DOMException("late", "TimeoutError")), limit);
        });
        const messageId = `<${id.replaceAll(/[^\w-]+/g, "-")}@${domain}>`;
        const message = {
          from,
          to: { name: "", address: to },
          subject,
          text: body,
          messageId,
          ...(calendar && { icalEvent: { ...calendar, filename: "nadi-appointment.ics" } }),
        };
        await Promise.race([transport.sendMail(message), late]);
      } catch (cause) {
        throw unavailable("SMTP", cause);
      } finally {
        clearTimeout(deadline);
      }
    },
  };
}
