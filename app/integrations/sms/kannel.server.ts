import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import { smsSize } from "./segments.ts";
import type { SmsSender } from "./sms.server.ts";

/** `dlt`: what an Indian operator wants to know of each message: the sender's registration, and the ids of the registered texts. */
export type KannelAccount = {
  url: string;
  username: string;
  password: string;
  from: string;
  dlt: { entity: string; templateIds: Readonly<Record<string, string>> };
};

const ACCEPTED = 202;

/**
 * Sends SMS with Kannel, a gateway that speaks SMPP 3.4 to an operator (deploy/kannel.conf). Password, number and text are in headers and
 * body, so that no log of addresses has them.
 */
export const kannel = ({ url, username, password, from, dlt }: KannelAccount, limit?: number): SmsSender => ({
  async send({ to, template, body }) {
    const templateId = dlt.templateIds[template];
    const registered = new URLSearchParams({ PE_ID: dlt.entity, ...(templateId && { TEMPLATE_ID: templateId }) });
    const { status } = await callJson(
      "Kannel",
      `${url}/cgi-bin/sendsms`,
      {
        method: "POST",
        headers: {
          "content-type": 'text/plain; charset="UTF-8"',
          "x-kannel-username": username,
          "x-kannel-password": password,
          "x-kannel-from": from,
          "x-kannel-to": to,
          "x-kannel-charset": "UTF-8",
          "x-kannel-coding": smsSize(body).encoding === "UCS-2" ? "2" : "0",
          ...(dlt.entity && { "x-kannel-meta-data": `?smpp?${registered}` }),
        },
        body,
      },
      limit,
    );
    if (status !== ACCEPTED) throw unavailable("Kannel", `status ${status}`);
  },
});
