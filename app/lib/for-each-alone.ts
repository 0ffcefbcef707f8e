/**
 * Runs `work` for one item after the other, also after one that failed, so that a job never stops at the same item again and again.
 * @throws the first error, after the last item
 */
export async function forEachAlone<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length) throw errors[0];
}
