import { hours } from "#app/lib/durations.ts";
import type { Paise } from "#app/lib/money.ts";

/**
 * How long a failed refund waits before it is sent again, by attempt. After the last one the clinic decides; a platform fee alone goes on with the
 * last.
 */
export const WAITS: readonly number[] = [hours(1), hours(6), hours(24)];

/** True for a failed refund that a job sends again. `amount`: the clinic's part, which is 0 when only the platform fee is returned. */
export const isSentAgain = ({ attempt, amount }: { attempt: number; amount: Paise }): boolean => attempt <= WAITS.length || amount === 0;

/** Returns when a failed refund is sent again; null after the last attempt. */
export const nextTry = (of: { attempt: number; amount: Paise; nextTryAt: Date }): Date | null => (isSentAgain(of) ? of.nextTryAt : null);
