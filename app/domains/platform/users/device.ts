/** What a browser says of itself, as far as a person recognises it; null where it does not say. */
export type Device = { browser: string | null; system: string | null };
/** A login as its owner sees it. */
/** An app the acting person has logged in with: what it holds is a token, which is never shown. `name`: what it calls itself. */
export type OwnApp = { id: string; name: string; since: Date; lastUsed: Date };
/** The same with its place: `city` where a lookup service is set and knows it. */
export type SessionDevice = {
  id: string;
  device: Device;
  since: Date;
  lastUsed: Date;
  city: string | null;
  address: string | null;
  current: boolean;
};
export type OwnSession = { device: Device; since: Date; current: boolean };

// In this order: most browsers also call themselves Chrome and Safari.
const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /\bEdgA?(iOS)?\//],
  ["Opera", /\b(OPR|Opera|OPiOS)\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["UC Browser", /\bUCBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** "Chrome" on "Android", out of a User-Agent. */
export function deviceOf(userAgent: string | null): Device {
  const find = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent ?? ""))?.[0] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
