/** Position in PostgreSQL's write-ahead log, in bytes. */
export type Lsn = bigint;

/** After every position. */
export const NEVER: Lsn = 2n ** 64n - 1n;

/** Parses `16/B374D848`. Null for anything else. */
export function parseLsn(text: string): Lsn | null {
  const [, high, low] = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/.exec(text) ?? [];
  return high && low ? (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`) : null;
}

export const formatLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;
