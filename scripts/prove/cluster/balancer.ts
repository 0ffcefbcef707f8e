/** HAProxy: one address for the database, which leads to the primary by Patroni's check, and one for the processes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chown } from "./folder.ts";
import type { Node } from "./nodes.ts";
import { type Program, programOf, run } from "./programs.ts";

async function start(name: string, folder: string, settings: string): Promise<Program> {
  const file = join(folder, `${name}.cfg`);
  writeFileSync(file, settings);
  chown(file);
  const program = run(name, folder, programOf("haproxy"), ["-db", "-f", file]);
  await pause(300);
  if (program.child.exitCode !== null) throw new Error(`HAProxy ended: see ${folder}/${name}.log`);
  return program;
}

/** The database: connections to a node that is no primary any more are closed at once. */
export const balanceDatabase = (folder: string, port: number, nodes: readonly Node[]) =>
  start(
    "haproxy-database",
    folder,
    `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fastinter 250ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.rest}`).join("\n")}
`,
  );

/** The processes: pages and websockets in turn. */
export const balanceProcesses = (folder: string, port: number, backends: readonly number[]) =>
  start(
    "haproxy-processes",
    folder,
    `global
  maxconn 9500
defaults
  mode http
  option forwardfor
  option http-keep-alive
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 3s
  maxconn 9500
frontend web
  bind 127.0.0.1:${port}
  default_backend processes
backend processes
  balance roundrobin
  option httpchk GET /readyz
  http-check send hdr Host localhost:${port}
  default-server inter 500ms fall 2 rise 1
${backends.map((backend, i) => `  server process${i + 1} 127.0.0.1:${backend} check`).join("\n")}
`,
  );
