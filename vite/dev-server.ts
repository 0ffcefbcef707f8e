import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import type { Plugin, RunnableDevEnvironment } from "vite";
import { isRunnableDevEnvironment } from "vite";

type App = typeof import("../app/server/index.ts");

/** Serves `react-router dev` through our own listener, with pages and socket.io from the SSR module graph. */
export function devServer(entry: string): Plugin {
  return {
    name: "nadi-dev-server",
    apply: "serve",
    configureServer(server) {
      const ssr = server.environments.ssr as RunnableDevEnvironment;
      const load = () => ssr.runner.import(entry) as Promise<App>;
      return () => {
        if (!server.httpServer || !isRunnableDevEnvironment(ssr)) return; // middleware mode: vitest, the child compiler
        const httpServer = server.httpServer as HttpServer;
        if (!process.env.DATABASE_URL) leaveDatabase();
        // Attaches again after an edit evaluates the modules again. Idempotent for one HTTP server.
        const attach = (app: App) => app.attachDevelopment(httpServer);
        load().then(attach, (error: unknown) => server.config.logger.error(String((error as Error)?.stack ?? error)));
        server.middlewares.use(async (req, res, next) => {
          try {
            req.url = (req as { originalUrl?: string }).originalUrl ?? req.url;
            const app = await load();
            attach(app);
            app.listener(req, res);
          } catch (error) {
            next(error);
          }
        });
      };
    },
  };
}

/** Stops the embedded database at exit when no other process of this checkout uses it. */
function leaveDatabase() {
  const npm = parentOf(process.ppid);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
  // React Router ends the process at once on a signal: only synchronous work runs.
  // scripts/bootstrap.mjs registered npm, which is the grandparent process.
  process.once("exit", () => spawnSync(process.execPath, ["scripts/db.mjs", "release", ...[process.pid, process.ppid, npm].map(String)]));
}

function parentOf(pid: number): number {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // not Linux: the database runs on
  }
}
