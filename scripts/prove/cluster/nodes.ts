/** Three PostgreSQL nodes under Patroni with one etcd, on loopback. A node is killed as a machine fails: Patroni and PostgreSQL at once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../../tests/setup/server.ts";
import { familyOf } from "../../processes.ts";
import { chown } from "./folder.ts";
import { killPid, type Program, programOf, run } from "./programs.ts";

/** Patroni's smallest time to live of the leader's key, in seconds: a dead leader is replaced after it. */
const TTL = 20;
export const PASSWORD = "password-of-the-proof";

export type Node = { name: string; port: number; rest: number; data: string; patroni?: Program };
export type Nodes = {
  nodes: readonly Node[];
  /** The node whose Patroni says that it is the primary, or undefined. */
  primary(): Promise<Node | undefined>;
  /** Kills Patroni and PostgreSQL of a node with SIGKILL. */
  kill(node: Node): Promise<void>;
  /** Starts Patroni of a node, which makes it a standby of the primary. */
  start(node: Node): void;
  /** Resolves when one node is the primary, and as many standbys follow it, one of them synchronous. */
  settled(standbys: number): Promise<void>;
  end(): Promise<void>;
};

type Member = { role: string; state: string; sync_standby?: boolean };
const ask = async (node: Node, path: string): Promise<{ ok: boolean; body: unknown }> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${node.rest}${path}`, { signal: AbortSignal.timeout(1_000) });
    return { ok: answer.ok, body: await answer.json() };
  } catch {
    return { ok: false, body: {} };
  }
};

export async function startNodes(folder: string): Promise<Nodes> {
  const [client, peer] = [await freePort(), await freePort()];
  const urls = { client: `http://127.0.0.1:${client}`, peer: `http://127.0.0.1:${peer}` };
  const etcd = run("etcd", folder, programOf("etcd-server"), [
    ...["--name", "proof", "--data-dir", join(folder, "etcd")],
    ...["--listen-client-urls", urls.client, "--advertise-client-urls", urls.client],
    ...["--listen-peer-urls", urls.peer, "--initial-advertise-peer-urls", urls.peer],
    ...["--initial-cluster", `proof=${urls.peer}`],
  ]);
  const nodes: Node[] = [];
  for (const name of ["node1", "node2", "node3"]) {
    const home = join(folder, name);
    mkdirSync(home, { mode: 0o700 });
    chown(home);
    nodes.push({ name, port: await freePort(), rest: await freePort(), data: join(home, "data") });
  }
  const fileOf = (node: Node) => {
    const file = join(folder, node.name, "patroni.json");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(settingsOf(node, client)));
    chown(file);
    return file;
  };
  const primary = async () => {
    for (const node of nodes) if ((await ask(node, "/primary")).ok) return node;
    return undefined;
  };
  const start = (node: Node) => {
    node.patroni = run(node.name, folder, programOf("patroni"), [fileOf(node)]);
  };
  const killDatabase = (node: Node) => {
    const note = join(node.data, "postmaster.pid");
    const pid = existsSync(note) ? Number(readFileSync(note, "utf8").split("\n")[0]) : 0;
    if (pid > 1) for (const one of familyOf(pid)) killPid(one);
  };
  const kill = async (node: Node) => {
    // Patroni first, or it would restart the database.
    const gone = node.patroni?.kill();
    killDatabase(node);
    await gone;
  };
  const killAll = () => {
    for (const node of nodes) {
      node.patroni?.child.kill("SIGKILL");
      killDatabase(node);
    }
  };
  process.once("exit", killAll);
  const settled = async (standbys: number) => {
    for (let i = 0; i < 480; i++) {
      const leader = await primary();
      const members = leader ? ((await ask(leader, "/cluster")).body as { members?: Member[] }).members : undefined;
      const following = members?.filter(({ role, state }) => role !== "leader" && /running|streaming/.test(state)) ?? [];
      if (following.length >= standbys && following.some(({ role }) => role === "sync_standby")) return;
      await pause(250);
    }
    throw new Error(`the cluster is not complete after two minutes; see ${folder}`);
  };
  const end = async () => {
    process.off("exit", killAll);
    await Promise.all(nodes.map(kill));
    await etcd.kill();
  };
  try {
    start(nodes[0]!);
    for (let i = 0; i < 480 && !(await primary()); i++) await pause(250);
    for (const node of nodes.slice(1)) start(node);
    await settled(2);
  } catch (error) {
    await end();
    throw error;
  }
  return { nodes, primary, kill, start, settled, end };
}

function settingsOf({ name, port, rest, data }: Node, etcd: number) {
  const parameters = {
    max_connections: 200,
    shared_buffers: "64MB",
    wal_keep_size: "256MB",
    max_wal_size: "512MB",
    wal_log_hints: "on",
    jit: "off",
    autovacuum_naptime: "60s",
  };
  return {
    scope: "nadi",
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: TTL,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        // A server that fails is replaced, not restarted.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: dirname(programOf("postgresql-15")),
      pgpass: join(dirname(data), "pgpass"),
      parameters: { unix_socket_directories: dirname(data) },
      pg_hba: ["local all all trust", "host all all 127.0.0.1/32 scram-sha-256", "host replication replicator 127.0.0.1/32 scram-sha-256"],
      authentication: {
        superuser: { username: "postgres", password: PASSWORD },
        replication: { username: "replicator", password: PASSWORD },
        rewind: { username: "rewinder", password: PASSWORD },
      },
    },
    watchdog: { mode: "off" },
  };
}
