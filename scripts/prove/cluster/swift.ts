/** OpenStack Swift with its S3 API, from Debian's packages: a proxy and one server each for accounts, containers and objects. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../../tests/setup/server.ts";
import { chown } from "./folder.ts";
import { account, type Program, run } from "./programs.ts";

const SERVERS = ["account", "container", "object"] as const;
const BUILDER = "/usr/bin/swift-ring-builder";
/** Swift reads /etc/swift/swift.conf, whatever its other settings say: sets the folder first, then runs the program. */
const IN_FOLDER =
  "import sys, runpy; from swift.common import utils; utils.set_swift_dir(sys.argv[1]); sys.argv = sys.argv[2:]; runpy.run_path(sys.argv[0], run_name='__main__')";
const programOf = (name: string) => `/usr/bin/swift-${name}-server`;

/** Returns the Debian packages that are not installed. */
export const missingPackages = () => ["proxy", ...SERVERS].filter((name) => !existsSync(programOf(name))).map((name) => `swift-${name}`);

/** The settings of a bucket (UPLOADS_S3_*). */
export type Swift = {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  freeze(): void;
  thaw(): void;
  end(): Promise<void>;
};
const USER = { name: "nadi", part: "files", key: "key-of-the-proof" };

export async function startSwift(folder: string): Promise<Swift> {
  const user = account() ? "postgres" : userInfo().username;
  const home = join(folder, "swift");
  const devices = join(folder, "devices");
  for (const path of [home, devices, join(devices, "d1")]) {
    mkdirSync(path);
    chown(path);
  }
  const write = (name: string, lines: readonly string[]) => {
    const file = join(home, name);
    writeFileSync(file, `${lines.join("\n")}\n`);
    chown(file);
    return file;
  };
  write("swift.conf", [
    ...["[swift-hash]", "swift_hash_path_suffix = proof", "swift_hash_path_prefix = proof"],
    ...["[storage-policy:0]", "name = default", "default = yes"],
  ]);
  const common = (port: number) => [
    "[DEFAULT]",
    ...["bind_ip = 127.0.0.1", `bind_port = ${port}`, `user = ${user}`, `swift_dir = ${home}`, "workers = 1"],
    ...[`devices = ${devices}`, "mount_check = false", "log_level = WARNING"],
  ];
  const programs: Program[] = [];
  const start = (name: string, file: string) =>
    programs.push(run(`swift-${name}`, folder, "/usr/bin/python3", ["-c", IN_FOLDER, home, programOf(name), file]));
  const startServer = async (name: (typeof SERVERS)[number]) => {
    const port = await freePort();
    const ring = (...args: string[]) =>
      new Promise<void>((ok, no) => {
        const builder = spawn(BUILDER, [`${name}.builder`, ...args], { ...account(), cwd: home, stdio: "ignore" });
        // 1: a warning.
        builder.once("exit", (code) => (code === 0 || code === 1 ? ok() : no(new Error(`swift-ring-builder ended with ${code}`))));
        builder.once("error", no);
      });
    await ring("create", "6", "1", "1");
    await ring("add", `r1z1-127.0.0.1:${port}/d1`, "1");
    await ring("rebalance");
    const lines = ["[pipeline:main]", `pipeline = ${name}-server`, `[app:${name}-server]`, `use = egg:swift#${name}`];
    start(name, write(`${name}.conf`, [...common(port), ...lines]));
  };
  await Promise.all(SERVERS.map(startServer));
  const port = await freePort();
  const { name, part, key } = USER;
  const file = write("proxy.conf", [
    ...common(port),
    ...["[pipeline:main]", "pipeline = catch_errors cache s3api tempauth slo proxy-logging proxy-server"],
    ...["[app:proxy-server]", "use = egg:swift#proxy", "account_autocreate = true", "allow_account_management = true"],
    ...[
      "[filter:catch_errors]",
      "use = egg:swift#catch_errors",
      "[filter:cache]",
      "use = egg:swift#memcache",
      "memcache_servers = 127.0.0.1:9",
    ],
    ...["[filter:s3api]", "use = egg:swift#s3api", "location = us-east-1"],
    ...["[filter:tempauth]", "use = egg:swift#tempauth", `user_${name}_${part} = ${key} .admin`],
    ...["[filter:slo]", "use = egg:swift#slo"],
    ...["[filter:proxy-logging]", "use = egg:swift#proxy_logging"],
  ]);
  start("proxy", file);
  const signalProxy = (signal: NodeJS.Signals) => {
    for (const pid of programs.at(-1)!.family()) process.kill(pid, signal);
  };
  const end = async () => {
    signalProxy("SIGCONT");
    await Promise.all(programs.map((program) => program.kill()));
  };
  const endpoint = `http://127.0.0.1:${port}`;
  for (let i = 0; ; i++) {
    const answers = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (i === 480) {
      await end();
      throw new Error(`Swift does not answer: see ${folder}/swift-proxy.log`);
    }
    await pause(250);
  }
  return {
    endpoint,
    region: "us-east-1",
    accessKeyId: `${name}:${part}`,
    secretAccessKey: key,
    freeze: () => signalProxy("SIGSTOP"),
    thaw: () => signalProxy("SIGCONT"),
    end,
  };
}
