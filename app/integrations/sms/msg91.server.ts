import { z } from "zod";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import type { SmsSender } from "./sms.server.ts";

const Answer = z.object({ type: z.string() });

/**
 * Sends SMS with MSG91's flow API v5. MSG91 stores the text under the template's id; only variables are sent. A response of
 * type "error" may have status 200.
 */
export const msg91 = (
  { authKey, baseUrl, templateIds }: { authKey: string; baseUrl: string; templateIds: Readonly<Record<string, string>> },
  limit?: number,
): SmsSender => ({
  async send({ to, template, variables }) {
    const { status, json } = await callJson(
      "MSG91",
      `${baseUrl}/api/v5/flow`,
      {
        method: "POST",
        headers: { authkey: authKey, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({
          template_id: templateIds[template] ?? `nadi-${template.replace(".", "-")}`,
          short_url: "0",
          recipients: [{ mobiles: to.replace(/^\+/, ""), ...variables }],
        }),
      },
      limit,
    );
    const answer = Answer.safeParse(json);
    if (status < 200 || status > 299) throw unavailable("MSG91", `status ${status}`);
    if (answer.data?.type !== "success") throw unavailable("MSG91", answer.success ? "refused the message" : "answered something else");
  },
});
