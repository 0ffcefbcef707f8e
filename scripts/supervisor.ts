/**
 * The primary process of `node server.ts`: runs workers, forwards signals, replaces a worker that died or whose event loop is
 * stuck. It does not load the product, so it is small and requests cannot stop it.
 */
import cluster, { type Worker } from "node:cluster";
import { availableParallelism, totalmem } from "node:os";

/** Messages of workers (app/server/supervised.ts). */
type FromWorker =
  | { type: "listening"; text: string }
  | { type: "ready"; text: string }
  | { type: "beat" }
  | { type: "polls"; port: number };
/** Workers replaced so far, by reason. */
type Replaced = { died: number; stuck: number };

const TICK = 1_000;
/** Ticks in which a new worker must load the build and open the port. */
const BOOT_TICKS = 120;
/** Milliseconds of uptime after which the back-off ends. */
const STEADY = 60_000;
/** A killed worker serves again within 5 s (npm run prove -- crashes): it needs 2 s itself. */
const LONGEST_PAUSE = 2_000;

/** Reads an integer variable. app/runtime/env.server.ts reports invalid ones. */
const numberOf = (name: string, fallback: number) => (/^\d+$/.test(process.env[name] ?? "") ? Number(process.env[name]) : fallback);

/**
 * Returns Node flags for the memory of a worker: half of the usual size for new objects, and at most 1 GB for others, so that the
 * heap grows in smaller steps. A flag that the user sets stays.
 */
function memoryFlags(workers: number): string[] {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  const old = Math.max(256, Math.min(1024, Math.floor(machine / 2 / workers)));
  const own = `${process.env.NODE_OPTIONS ?? ""} ${process.execArgv.join(" ")}`;
  return [
    ...(own.includes("--max-semi-space-size") ? [] : ["--max-semi-space-size=8"]),
    ...(own.includes("--max-old-space-size") ? [] : [`--max-old-space-size=${old}`]),
  ];
}
/** malloc has up to eight arenas for each core, and memory freed in one is not used by another. */
const ARENAS = { MALLOC_ARENA_MAX: "2" };

/** Runs workers until a signal arrives or the first start fails. Returns the exit code. */
export function supervise(): Promise<number> {
  const { DEMO, DATABASE_URL, WEB_CONCURRENCY } = process.env;
  const demo = DEMO ? DEMO === "1" : !DATABASE_URL;
  // One worker that is busy or dies must not stop a clinic.
  const count = WEB_CONCURRENCY === "auto" ? availableParallelism() : Math.max(1, numberOf("WEB_CONCURRENCY", demo ? 1 : 2));
  const stuckTicks = numberOf("WORKER_STUCK_SECONDS", 8);
  // A single worker accepts connections itself; several get them round-robin. `setupPrimary` fixes the policy, so it is set before.
  cluster.schedulingPolicy = count === 1 ? cluster.SCHED_NONE : cluster.SCHED_RR;
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...memoryFlags(count)] });
  const replaced: Replaced = { died: 0, stuck: 0 };
  /** Ticks without a heartbeat, for each worker. */
  const missed = new Map<Worker, number>();
  const beating = new Set<Worker>();
  const stuck = new Set<Worker>();
  /** Loopback ports on which workers answer polls of their connections (app/server/polls.ts), by worker id. */
  const pollPorts: Record<string, number> = {};
  let quickDeaths = 0;
  let everStarted = false;
  let ready = 0;
  let printed = new Set<string>();
  let stopping: NodeJS.Signals | undefined;
  let exitCode = 0;
  const restarts = new Set<NodeJS.Timeout>();

  return new Promise<number>((end) => {
    const endWhenAlone = () => {
      if (missed.size > 0) return;
      clearInterval(ticking);
      end(exitCode);
    };

    const run = () => {
      const born = performance.now();
      const worker = cluster.fork({ ...ARENAS, ...process.env });
      missed.set(worker, 0);
      worker.on("message", (message: FromWorker) => {
        missed.set(worker, 0);
        if (message.type === "polls") {
          pollPorts[worker.id] = message.port;
          for (const other of missed.keys()) if (other.isConnected()) other.send({ type: "polls", ports: pollPorts });
          return;
        }
        if (message.type !== "beat") return announce(message);
        if (beating.has(worker)) return;
        beating.add(worker);
        everStarted = true;
        worker.send({ type: "replaced", replaced });
      });
      worker.on("error", () => undefined); // its channel closed meanwhile
      worker.once("exit", (code) => {
        const wasStuck = stuck.delete(worker);
        missed.delete(worker);
        delete pollPorts[worker.id];
        beating.delete(worker);
        if (stopping) return endWhenAlone();
        // The first start failed. The worker has printed why.
        if (!everStarted) return stop("SIGTERM", code || 1);
        replaced[wasStuck ? "stuck" : "died"] += 1;
        quickDeaths = performance.now() - born < STEADY ? quickDeaths + 1 : 0;
        const pause = quickDeaths < 2 ? 0 : Math.min(LONGEST_PAUSE, 250 * 2 ** (quickDeaths - 2));
        note({ msg: "worker replaced", reason: wasStuck ? "stuck" : "died", worker: worker.process.pid, code, pauseMs: pause });
        const restart = setTimeout(() => {
          restarts.delete(restart);
          run();
        }, pause);
        restarts.add(restart);
      });
    };

    /** Prints each line once, not again for replaced workers. */
    const announce = ({ type, text }: { type: "listening" | "ready"; text: string }) => {
      if (type === "ready" && ++ready < count) return;
      if (printed.has(type) || printed.has("ready")) return;
      printed = new Set([...printed, type]);
      console.log(text);
    };

    const stop = (signal: NodeJS.Signals, code = 0) => {
      // npm sends Ctrl-C a second time: a repeated signal does not force the exit.
      if (stopping) return;
      stopping = signal;
      exitCode = code;
      for (const restart of restarts) clearTimeout(restart);
      for (const worker of missed.keys()) worker.process.kill(signal);
      endWhenAlone();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal));

    // Counts ticks instead of time: after the machine was suspended no worker is late.
    const ticking = setInterval(() => {
      for (const [worker, ticks] of missed) {
        missed.set(worker, ticks + 1);
        const limit = beating.has(worker) ? stuckTicks : BOOT_TICKS;
        if (limit === 0 || ticks < limit || stuck.has(worker)) continue;
        stuck.add(worker);
        note({ msg: "worker is stuck", worker: worker.process.pid, seconds: limit });
        worker.process.kill("SIGKILL");
      }
    }, TICK);

    for (let i = 0; i < count; i++) run();
  });
}

/** Writes a log line in the format of app/runtime/log.server.ts. */
function note(fields: Record<string, unknown>): void {
  if (process.env.LOG_LEVEL === "silent") return;
  console.log(JSON.stringify({ level: "error", time: new Date().toISOString(), ...fields }));
}
