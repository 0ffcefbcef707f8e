import { m } from "#app/paraglide/messages.js";
import { DomainError } from "./domain-error.ts";

/** Starts a few jobs in each turn of the event loop, in the order they came, so that other requests run between them. */
export class Turns {
  private readonly bounds: { each: number; waiting: number };
  private readonly line: (() => void)[] = [];
  private begun = 0;

  /** @param bounds.each most jobs that start in one turn. `waiting`: most jobs that wait; one more is refused */
  constructor(bounds: { each: number; waiting: number }) {
    this.bounds = bounds;
  }

  /** Resolves when a job may start. @throws DomainError("unavailable") when too many wait */
  next(): Promise<void> {
    if (this.line.length >= this.bounds.waiting)
      return Promise.reject(new DomainError("unavailable", m.error_busy(), { retryAfterSeconds: 1 }));
    if (this.begun === 0) setImmediate(() => this.startNext());
    if (this.begun < this.bounds.each && this.line.length === 0) {
      this.begun++;
      return Promise.resolve();
    }
    return new Promise((ok) => void this.line.push(ok));
  }

  private startNext(): void {
    const next = this.line.splice(0, this.bounds.each);
    this.begun = next.length;
    if (next.length) setImmediate(() => this.startNext());
    for (const start of next) start();
  }
}
