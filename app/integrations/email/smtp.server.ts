import { createTransport } from "nodemailer";
import { within } from "#app/lib/within.ts";
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
      try {
        const messageId = `<${id.replaceAll(/[^\w-]+/g, "-")}@${domain}>`;
        const message = {
          from,
          to: { name: "", address: to },
          subject,
          text: body,
          messageId,
          ...(calendar && { icalEvent: { ...calendar, filename: "nadi-appointment.ics" } }),
        };
        // The transport's timeouts are per step: a server that trickles lines could delay the request for minutes.
        await within(limit, transport.sendMail(message), () => new DOMException("late", "TimeoutError"));
      } catch (cause) {
        throw unavailable("SMTP", cause);
      }
    },
  };
}
