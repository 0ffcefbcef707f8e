import { z } from "zod";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import type { SmsSender } from "./sms.server.ts";

const Created = z.object({ sid: z.string().min(1), status: z.string() });
const Refused = z.object({ code: z.number() });

/** Sends SMS with Twilio. `from` is a number, a sender name or the id of a messaging service ("MG…"). */
export const twilio = (account: { accountSid: string; authToken: string; from: string; baseUrl: string }, limit?: number): SmsSender => ({
  async send({ to, body }) {
    const sender: Record<string, string> = account.from.startsWith("MG") ? { MessagingServiceSid: account.from } : { From: account.from };
    const { status, json } = await callJson(
      "Twilio",
      `${account.baseUrl}/2010-04-01/Accounts/${encodeURIComponent(account.accountSid)}/Messages.json`,
      {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${account.accountSid}:${account.authToken}`).toString("base64")}`,
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ To: to, ...sender, Body: body }).toString(),
      },
      limit,
    );
    if (status < 200 || status > 299) {
      const code = Refused.safeParse(json).data?.code;
      throw unavailable("Twilio", `status ${status}${code ? `, code ${code}` : ""}`);
    }
    const created = Created.safeParse(json).data;
    if (!created) throw unavailable("Twilio", "answered something else");
    if (created.status === "failed" || created.status === "undelivered") throw unavailable("Twilio", `message ${created.status}`);
  },
});
