/** A Redis that tests and proofs start, kill and freeze: redis-server where it is installed, or a server with its protocol. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedisWire } from "../mocks/redis-wire.ts";
import { freePort } from "./server.ts";
import { until } from "./standby.ts";

const PROGRAM = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].find((path) => existsSync(path));
/** The kinds that this machine can start. `wire`: always. */
export const REDIS_KINDS = PROGRAM ? (["wire", "redis-server"] as const) : (["wire"] as const);

export type TestRedis = {
  url: string;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** Ends it as a failing machine does. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Ends it and deletes what it left. */
  end(): Promise<void>;
};

const answers = (port: number) =>
  new Promise<boolean>((ok) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", () => socket.end(() => ok(true)));
    socket.once("error", () => ok(false));
  });

async function startProgram(program: string, port: number, folder: string) {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const child: ChildProcess = spawn(program, options, { stdio: "ignore" });
  const gone = new Promise<void>((ok) => child.once("exit", () => ok()));
  const orphaned = () => child.kill("SIGKILL");
  process.once("exit", orphaned);
  child.once("exit", () => process.off("exit", orphaned));
  await until(() => answers(port));
  return {
    async close() {
      child.kill("SIGKILL");
      await gone;
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}

/** Starts an empty Redis. @throws when `redis-server` is asked for and not installed */
export async function startRedis(kind: (typeof REDIS_KINDS)[number]): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nadi-redis-"));
  const open = () => {
    if (kind === "wire") return startRedisWire(port);
    if (!PROGRAM) throw new Error("redis-server is not installed");
    return startProgram(PROGRAM, port, folder);
  };
  let running: Awaited<ReturnType<typeof open>> | undefined = await open();
  const kill = async () => {
    await running?.close();
    running = undefined;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      running = await open();
    },
    kill,
    freeze: () => running?.freeze(),
    thaw: () => running?.thaw(),
    async end() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
