import { hours } from "#app/lib/durations.ts";

/** How long a failed refund waits before it is sent again, by attempt. After the last one the clinic decides. */
export const WAITS: readonly number[] = [hours(1), hours(6), hours(24)];

/** Returns when a failed refund is sent again; null after the last attempt. */
export const nextTry = ({ attempt, nextTryAt }: { attempt: number; nextTryAt: Date }): Date | null =>
  attempt <= WAITS.length ? nextTryAt : null;
