import { MESSAGE_TYPES } from "#app/domains/places/webhooks/message.ts";

/** Verifies a webhook without a package. A test runs it. */
export const WEBHOOK_CHECK = `import { createHmac, timingSafeEqual } from "node:crypto";

/** Returns the event, or null when Nadi did not send it. headers: in lower case. body: the text as it arrived. */
export function readWebhook(secret, headers, body, now = Date.now()) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!(Math.abs(now / 1000 - Number(timestamp)) < 300)) return null;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = Buffer.from("v1," + createHmac("sha256", key).update(id + "." + timestamp + "." + body).digest("base64"));
  const valid = signatures.split(" ").some((given) => {
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  return valid ? JSON.parse(body) : null;
}`;

/** A test event with its signature, as a call of the check above. A test runs it. */
export const WEBHOOK_EXAMPLE = `const event = readWebhook(
  "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  {
    "webhook-id": "6f0c1f0e-2a44-4c50-9c1b-1d7a3c0f9b52",
    "webhook-timestamp": "1795459200",
    "webhook-signature": "v1,zSLn6m0IjUGKx//iAxFfTJdMIkTGi6jCC52iF18S+p8=",
  },
  '{"type":"webhook.test","timestamp":"2026-11-23T18:40:00.000Z","data":{"place":"0d9f3c1e-7b52-4a38-9c40-5e1f2a6b7c8d"}}',
  // The time of the message: without it the check refuses messages older than five minutes.
  1795459200000,
);`;

/** What other websites and calendars can use without the API, for developers. In English only, like the reference. */
export const ADDRESSES = [
  {
    id: "frame",
    title: "Free times on a website",
    about:
      "A frame with today's free times of a hospital, without scripts and cookies. Its links open the booking in the top window. The owner of the hospital lists the websites that can show it. The second line is a link for browsers that block frames. {slug} is the short name of the hospital.",
    example: (origin: string) =>
      `<iframe src="${origin}/embed/{slug}" title="Free times" style="width:100%;height:32rem;border:0"></iframe>
<p><a href="${origin}/h/{slug}">Book an appointment</a></p>`,
  },
  {
    id: "short-pages",
    title: "Short addresses",
    about:
      "The public pages of a hospital and of a doctor under their short names. A former name redirects with 301 to the new one. Add ?lang=te or ?lang=hi for Telugu or Hindi.",
    example: (origin: string) => `${origin}/h/{slug}\n${origin}/d/{slug}`,
  },
  {
    id: "feeds",
    title: "Calendar feeds",
    about:
      "The appointments of a patient or a doctor as iCalendar. Its owner creates the private address in the settings; replacing it makes the old one answer 404. Cancelled appointments stay for 60 days with STATUS:CANCELLED and a higher SEQUENCE. Send the ETag of the last response in If-None-Match: the response is 304 until an appointment changes.",
    example: (origin: string) => `curl -H 'If-None-Match: {etag}' ${origin}/calendar/{key}.ics`,
  },
  {
    id: "webhooks",
    title: "Webhooks",
    about:
      "Each change of a state at a place as a POST to your https address. The owner of the place adds the address under Clinic, Webhooks, gives you the secret and can send a test event. A message has ids, states and times, never a name, a phone number or health details. Answer with 2xx within eight seconds. Otherwise we send the message again, ten times in three days, with the same webhook-id: ignore an id that you already have. The order is not promised. After five days without an accepted message, or after an answer 410, the address is disabled and the owner is notified. Redirects are not followed.",
    example: () => `POST /nadi HTTP/1.1
content-type: application/json
webhook-id: 6f0c1f0e-2a44-4c50-9c1b-1d7a3c0f9b52
webhook-timestamp: 1795459200
webhook-signature: v1,{base64}

{"type":"appointment.accept","timestamp":"2026-11-23T18:40:00.000Z","data":{"id":"{appointment}","place":"{hospital}","doctor":"{doctor}","reference":"{reference}","to":"accepted","date":"2026-11-24","time":"10:00"}}`,
  },
  {
    id: "webhook-check",
    title: "Check a webhook",
    about:
      "Messages are signed as Standard Webhooks says, so its libraries verify them in most languages. After the secret was replaced, messages have two signatures for 24 hours. This is the check for Node without a library.",
    example: () => WEBHOOK_CHECK,
  },
  {
    id: "webhook-test",
    title: "A signed test event",
    about:
      "A complete message with its secret, to test your check before you have an address. It returns the event; change one character of the body and it returns null. The owner of a place sends the same event to your address with “Send test event”.",
    example: () => WEBHOOK_EXAMPLE,
  },
  {
    id: "webhook-events",
    title: "Events of webhooks",
    about: "The types of messages. A test event has the type webhook.test. More may be added: ignore a type that you do not know.",
    example: () => [...Map.groupBy(MESSAGE_TYPES, (type) => type.split(".")[0]).values()].map((types) => types.join(" ")).join("\n"),
  },
] as const;
