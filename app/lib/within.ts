/** Returns what `work` gives, or rejects after `ms` milliseconds with `late()`. The work goes on, and how it ends then does not matter. */
export function within<T>(ms: number, work: PromiseLike<T>, late: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, no) => {
    timer = setTimeout(() => no(late()), ms);
  });
  // A query of drizzle runs again for each `then`: `race` reads it once.
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
