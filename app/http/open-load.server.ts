/** Loaders of public data: directory, search, free times, public pages. They may read from a standby (docs/decisions/091). */

import { standby } from "#app/db/standby.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { within } from "#app/lib/within.ts";
import { ctxOf, seenContext } from "./context.ts";
import { load } from "./load.server.ts";

type Reader = Parameters<typeof ctxOf>[0];

/** A frozen standby does not answer: readers wait for the primary after this. */
const PATIENCE = seconds(2);

/**
 * Wraps a loader like `load`. `ctx` reads from the standby while that shows what this reader wrote, otherwise from the primary: for
 * public data only. The reader's own appointments, records and settings are read with the context of the request.
 */
export const loadOpen = <A extends { context: Reader }, T>(loader: (ctx: Ctx, args: A) => Promise<T>): ((args: A) => Promise<T>) =>
  load((args: A) => readOpen(args.context, ctxOf(args.context), (ctx) => loader(ctx, args)));

/** Runs a read of public data for `own`, the context of the request. A second time, on the primary, when the standby fails or does not have what is asked for. */
export async function readOpen<C extends Ctx, T>(context: Reader, own: C, read: (ctx: C) => Promise<T>): Promise<T> {
  const copy = standby();
  if (!copy?.shows(context.get(seenContext))) {
    if (copy) copy.reads.primary++;
    return read(own);
  }
  try {
    const answer = await within(PATIENCE, read({ ...own, db: copy.db }), () => new Error("the standby does not answer"));
    copy.reads.standby++;
    return answer;
  } catch (error) {
    if (!mayDiffer(error)) throw error;
    if (!(error instanceof DomainError)) copy.failed(error);
    copy.reads.again++;
    return read(own);
  }
}

/** False for redirects and refusals that the primary would repeat. What the standby does not have yet may be in the primary. */
const mayDiffer = (error: unknown) =>
  error instanceof DomainError ? error.code === "not-found" || error.code === "unavailable" : error instanceof Error;
