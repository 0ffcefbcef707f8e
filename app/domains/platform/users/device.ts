/** Browser and system of a User-Agent; null for unknown. */
export type Device = { browser: string | null; system: string | null };
/** An app with a token of the user. The token is never shown. `name`: as the app calls itself. */
export type OwnApp = { id: string; name: string; since: Date; lastUsed: Date };
/** The same with `city`, if a lookup service is configured and knows it. */
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
  ["Edge", /\b(Edge|Edg|EdgA|EdgiOS)\//],
  ["Opera", /\b(OPR|OPT|OPX|Opera|OPiOS)\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["UC Browser", /\b(UCBrowser|UBrowser|UCWEB)\/?/],
  ["Mi Browser", /\bMiuiBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS|Focus|Klar)\//],
  ["Chrome", /\b(Chrome|HeadlessChrome|CriOS)\//],
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

/** Parses a User-Agent: "Chrome" on "Android". */
export function deviceOf(userAgent: string | null): Device {
  const find = (list: [string, RegExp][]) => list.find(([, sign]) => sign.test(userAgent ?? ""))?.[0] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
