import { m } from "#app/paraglide/messages.js";
import { DomainError } from "./domain-error.ts";

export type BatchBounds = {
  /** Most items of one batch. */
  most: number;
  /** Most items that wait. One more is refused. */
  waiting: number;
};
type Entry<T, R> = { item: T; ok: (result: R) => void; no: (error: unknown) => void };

/** Does many items at once: those that arrive while a batch runs are the next one, as databases commit in groups. */
export class Batches<T, R> {
  private readonly run: (items: readonly T[]) => Promise<readonly R[]>;
  private readonly bounds: BatchBounds;
  private readonly mayDivide: (error: unknown) => boolean;
  private readonly line: Entry<T, R>[] = [];
  private running = false;

  /**
   * @param run returns the results of a batch in the order of its items
   * @param mayDivide after this error the items run one by one, so that one of them does not fail the others
   */
  constructor(run: (items: readonly T[]) => Promise<readonly R[]>, bounds: BatchBounds, mayDivide: (error: unknown) => boolean) {
    this.run = run;
    this.bounds = bounds;
    this.mayDivide = mayDivide;
  }

  /** Returns the result of an item. @throws DomainError("unavailable") when too many wait, and what failed its batch */
  add(item: T): Promise<R> {
    if (this.line.length >= this.bounds.waiting)
      return Promise.reject(new DomainError("unavailable", m.error_busy(), { retryAfterSeconds: 1 }));
    return new Promise((ok, no) => {
      this.line.push({ item, ok, no });
      if (this.running) return;
      this.running = true;
      // What arrives in this turn of the event loop is in the first batch.
      setImmediate(() => void this.runAll());
    });
  }

  private async runAll(): Promise<void> {
    while (this.line.length) await this.runBatch(this.line.splice(0, this.bounds.most));
    this.running = false;
  }

  private async runBatch(batch: readonly Entry<T, R>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const [i, { ok }] of batch.entries()) ok(results[i]!);
    } catch (error) {
      if (batch.length > 1 && this.mayDivide(error)) for (const entry of batch) await this.runBatch([entry]);
      else for (const { no } of batch) no(error);
    }
  }
}
