import { randomToken } from "#app/lib/ids.server.ts";
import type { Answer, Browser } from "../setup/http.ts";
import { newPhone, type Slot } from "./people.ts";

export const bookingPage = (doctorId: string, slot: Slot) =>
  `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId, date: slot.date, time: slot.time })}`;

let keys = 0;
/** Returns the fields of the second booking step. `undefined` omits a field. */
export function bookingFields(over: Record<string, string | undefined> = {}): Record<string, string> {
  const fields: Record<string, string | undefined> = {
    intent: "book",
    idempotencyKey: `proof-key-${process.pid}-${++keys}`,
    name: "Lakshmi Devi",
    phone: "9876543210",
    age: "34",
    gender: "female",
    bloodGroup: "B+",
    medicalHistory: "Asthma since 2009",
    reason: "Cough at night",
    ...over,
  };
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Submits the booking form as multipart. */
export function book(
  browser: Browser,
  doctorId: string,
  slot: Slot,
  over: Record<string, string | undefined> = {},
  files: File[] = [],
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(bookingFields(over))) form.append(name, value);
  for (const file of files) form.append("newRecords", file);
  return browser.postFiles(bookingPage(doctorId, slot), form);
}
/** Returns the id of the booked visit from the redirect. */
export const bookedId = (answer: Answer) => /^\/patient\/appointments\/payment\/([0-9a-f-]{36})$/.exec(answer.location ?? "")?.[1] ?? null;

/** Returns the values of all form controls of a page. */
export function valuesOf(html: string): Record<string, string> {
  const values: Record<string, string> = {};
  const attribute = (tag: string, name: string) => plain(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const choice = /type="(radio|checkbox)"/.test(tag);
    const name = attribute(tag, "name");
    if (name && (!choice || /\schecked(=|\s|>)/.test(tag))) values[name] = attribute(tag, "value");
  }
  for (const [, head = "", text = ""] of html.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g))
    values[attribute(head, "name")] = plain(text);
  for (const [, head = "", body = ""] of html.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const chosen = /<option\b[^>]*\sselected(?:=""|\s|>)[^>]*>?/.exec(body)?.[0];
    values[attribute(head, "name")] = chosen ? attribute(chosen, "value") : "";
  }
  return values;
}
const plain = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Returns the visible text of a page. */
export const readable = (html: string) =>
  plain(html.replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, " ").replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");

/** Returns the input of bookAppointment: Sita Rao on a slot of a doctor. */
export const wishFor = (doctorId: string, over: Slot & { name?: string }) => ({
  doctorId,
  name: "Sita Rao",
  phone: newPhone(),
  age: 34,
  gender: "female" as const,
  reason: "Cough",
  records: [],
  idempotencyKey: randomToken(),
  ...over,
});
