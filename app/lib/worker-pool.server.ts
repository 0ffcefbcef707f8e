import { Worker } from "node:worker_threads";
import { seconds } from "./durations.ts";
import { WorkQueue } from "./work-queue.ts";

/** The worker ran out of time or memory, or exited: its input is malformed or hostile. */
export class WorkerFailed extends Error {
  override readonly name = "WorkerFailed";
}

export type WorkerPoolBounds = {
  /** Name in `/metrics`. */
  name: string;
  /** Most threads. Each is started at its first use. */
  size: number;
  /** Heap of each thread. */
  heapMb: number;
  /** Time for one input, in milliseconds. */
  ms: number;
  /** Most inputs that wait. */
  waiting: number;
};

/**
 * Runs code on input that may be hostile outside the main thread, with a bound on heap and time. A thread that breaks a bound
 * is terminated and replaced. The file answers each message with one message.
 */
export class WorkerPool<In, Out> {
  private readonly idle: Worker[] = [];
  private readonly file: URL;
  private readonly bounds: WorkerPoolBounds;
  private readonly queue: WorkQueue;

  constructor(file: URL, bounds: WorkerPoolBounds) {
    this.file = file;
    this.bounds = bounds;
    this.queue = new WorkQueue({ name: bounds.name, parallel: bounds.size, waiting: bounds.waiting, waitMs: seconds(5) });
  }

  /** Returns what the worker makes of `input`. @throws WorkerFailed, DomainError("unavailable") when too many inputs wait */
  run(input: In): Promise<Out> {
    return this.queue.run(async () => {
      const worker = this.idle.pop() ?? this.start();
      const output = await this.ask(worker, input);
      this.idle.push(worker);
      return output;
    });
  }

  private start(): Worker {
    const worker = new Worker(this.file, {
      resourceLimits: { maxOldGenerationSizeMb: this.bounds.heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      // No secrets in a thread that reads hostile files.
      env: {},
      execArgv: [],
    });
    // A thread that ends while it is idle is not used again.
    worker.on("exit", () => {
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
    });
    // Without a listener an error of an idle thread would end the process.
    worker.on("error", () => undefined);
    return worker;
  }

  private async ask(worker: Worker, input: In): Promise<Out> {
    worker.ref();
    let stop: () => void = () => undefined;
    try {
      return await new Promise<Out>((ok, no) => {
        const fail = (why: string) => (cause?: unknown) => no(new WorkerFailed(why, { cause }));
        const late = fail("out of time");
        const broken = fail("broken");
        const ended = fail("ended");
        const timer = setTimeout(late, this.bounds.ms);
        worker.once("message", ok).once("error", broken).once("messageerror", broken).once("exit", ended);
        stop = () => {
          clearTimeout(timer);
          worker.off("message", ok).off("error", broken).off("messageerror", broken).off("exit", ended);
        };
        worker.postMessage(input);
      });
    } catch (error) {
      await worker.terminate();
      throw error;
    } finally {
      stop();
      // An idle thread must not prevent the process from exiting.
      worker.unref();
    }
  }
}
