/** The position of the database after the reader's last write, so that a standby behind it is not read (docs/decisions/091). */
import { type Lsn, NEVER, parseLsn } from "#app/db/lsn.ts";
import { pool } from "#app/db/pool.server.ts";
import { positionAfterWrite, standby } from "#app/db/standby.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

const NAME = "seen";
/** Seconds. Longer than the five that a standby may be behind. */
const LIFE = 60;

const isRead = (method: string) => method === "GET" || method === "HEAD";

/** Returns what a standby must show to be read for a request. A refused write shows why it was refused: from the primary. */
export function seenOf(method: string, cookieHeader: string | null): Lsn {
  if (!isRead(method)) return NEVER;
  return parseLsn(readCookie(cookieHeader, NAME) ?? "") ?? 0n;
}

/** Returns the cookie after a request; null without a standby and after a read. A reader can forge it for themselves only. */
export async function seenCookie(method: string): Promise<string | null> {
  return standby() && !isRead(method) ? writeCookie(NAME, await positionAfterWrite(pool().sql), LIFE) : null;
}
