/** Reads what a user types as a place: a PIN code, or a name with a state ("Guntur, AP"). */
import { searchKey } from "./location.schema.ts";
import { PIN_AREAS } from "./pin-areas.ts";
import { STATES } from "./states.ts";

/** Abbreviations of states, as in vehicle numbers and addresses. */
const SHORT: Record<string, (typeof STATES)[number]> = {
  ap: "Andhra Pradesh",
  as: "Assam",
  br: "Bihar",
  cg: "Chhattisgarh",
  dl: "Delhi",
  ga: "Goa",
  gj: "Gujarat",
  hp: "Himachal Pradesh",
  hr: "Haryana",
  jh: "Jharkhand",
  jk: "Jammu and Kashmir",
  ka: "Karnataka",
  kl: "Kerala",
  mh: "Maharashtra",
  mp: "Madhya Pradesh",
  od: "Odisha",
  pb: "Punjab",
  rj: "Rajasthan",
  tg: "Telangana",
  tn: "Tamil Nadu",
  ts: "Telangana",
  uk: "Uttarakhand",
  up: "Uttar Pradesh",
  wb: "West Bengal",
};
const STATE_KEYS = [...STATES.map((state) => [searchKey(state), state] as const), ...Object.entries(SHORT)];

export type TypedPlace = { name: string; state: string | null };

/** Splits "guntur andhra pradesh" and "guntur ap" into name and state. The state alone is a name ("Delhi", "Goa"). */
export function splitState(key: string): TypedPlace {
  for (const [ending, state] of STATE_KEYS) if (key.endsWith(` ${ending}`)) return { name: key.slice(0, -ending.length - 1).trim(), state };
  return { name: key, state: null };
}

/** Returns name and state of the city that a PIN code belongs to: by its first four digits, or three. Null for other texts. */
export function cityOfPin(text: string): TypedPlace | null {
  const pin = text.replace(/\s+/g, "");
  if (!/^[1-9]\d{5}$/.test(pin)) return null;
  const [name, state] = (PIN_AREAS.get(pin.slice(0, 4)) ?? PIN_AREAS.get(pin.slice(0, 3)) ?? "").split("|");
  return name && state ? { name, state } : null;
}
