// Thin on purpose: everything with a state lives in the server build, one graph of modules. Started by `npm start`.
// The first process is a supervisor that never loads the build; its workers run this file again (docs/decisions/040).
import cluster from "node:cluster";

process.env.NODE_ENV ||= "production"; // a copied .env.example says NODE_ENV=

if (cluster.isPrimary) {
  const { supervise } = await import("./scripts/supervisor.ts");
  const { release, use } = await import("./scripts/db.mjs");
  const embedded = !process.env.DATABASE_URL;
  let code = 1;
  try {
    if (embedded) await use(process.pid);
    code = await supervise();
  } catch (error) {
    console.error(error);
  }
  // npm itself was noted as a user while it prepared the database (scripts/bootstrap.mjs).
  if (embedded) await release(process.pid, process.ppid).catch(() => undefined);
  process.exit(code);
} else {
  try {
    const { start } = (await import("./build/server/index.js" as string)) as typeof import("./app/server/index.ts");
    const { stopped } = await start();
    await stopped;
    process.exit(0);
  } catch (error) {
    const { name, message } = error as Error;
    // Expected ones are told in a line or a list; anything else with its stack.
    console.error(name === "EnvironmentError" || name === "StartError" ? message : error);
    process.exit(1);
  }
}
