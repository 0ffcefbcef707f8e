import { m } from "#app/paraglide/messages.js";
import { DomainError } from "./domain-error.ts";

export type WorkQueueBounds = {
  /** Name in `/metrics`. Without one the queue is not there. */
  name?: string;
  /** Most jobs at a time. */
  parallel: number;
  /** Most weight at a time. A heavier job runs alone. Default: no bound. */
  weight?: number;
  /** Most jobs that wait. One more is refused. */
  waiting: number;
  /** Longest wait in milliseconds. After it the job is refused and never runs. */
  waitMs: number;
};

type Waiting = { weight: number; start: () => void };

/** Runs expensive jobs a few at a time, in the order they came. Refuses a job when too many wait already. */
export class WorkQueue {
  readonly bounds: WorkQueueBounds;
  running = 0;
  /** Jobs refused so far. */
  refused = 0;
  private runningWeight = 0;
  private readonly line: Waiting[] = [];

  constructor(bounds: WorkQueueBounds) {
    this.bounds = bounds;
    if (bounds.name) queues.add(this);
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.line.length;
  }

  /** Runs `job` when there is room for its weight. @throws DomainError("unavailable") when the queue is full or the wait too long */
  async run<T>(job: () => Promise<T>, weight = 1): Promise<T> {
    if (this.line.length > 0 || !this.hasRoom(weight)) await this.wait(weight);
    else this.enter(weight);
    try {
      return await job();
    } finally {
      this.running -= 1;
      this.runningWeight -= weight;
      this.startNext();
    }
  }

  private hasRoom(weight: number): boolean {
    if (this.running === 0) return true;
    return this.running < this.bounds.parallel && this.runningWeight + weight <= (this.bounds.weight ?? Number.POSITIVE_INFINITY);
  }

  private enter(weight: number): void {
    this.running += 1;
    this.runningWeight += weight;
  }

  private wait(weight: number): Promise<void> {
    if (this.line.length >= this.bounds.waiting) return Promise.reject(this.refusal());
    return new Promise((ok, no) => {
      const entry = {
        weight,
        start: () => {
          clearTimeout(timer);
          ok();
        },
      };
      const timer = setTimeout(() => {
        this.line.splice(this.line.indexOf(entry), 1);
        no(this.refusal());
        // The job behind it may be lighter.
        this.startNext();
      }, this.bounds.waitMs);
      this.line.push(entry);
    });
  }

  private startNext(): void {
    for (let next = this.line[0]; next && this.hasRoom(next.weight); next = this.line[0]) {
      this.line.shift();
      this.enter(next.weight);
      next.start();
    }
  }

  private refusal(): DomainError {
    this.refused += 1;
    return new DomainError("unavailable", m.error_busy(), { retryAfterSeconds: Math.max(1, Math.ceil(this.bounds.waitMs / 1000)) });
  }
}

const queues = new Set<WorkQueue>();
/** Every queue of this process, for `/metrics`. */
export const workQueues: ReadonlySet<WorkQueue> = queues;
