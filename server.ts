// Started by `npm start`. The first process is a supervisor that never loads the build; its workers run this file again.
// Everything with state is in the server build, so that it exists once (docs/decisions/039).
import { spawn } from "node:child_process";
import cluster from "node:cluster";

process.env.NODE_ENV ||= "production"; // a copied .env.example contains "NODE_ENV="

if (cluster.isPrimary) {
  const { supervise } = await import("./scripts/supervisor.ts");
  const { release, use } = await import("./scripts/db.mjs");
  const embedded = !process.env.DATABASE_URL;
  let code = 1;
  // The demo pays with the test gateway. With an address of its own the gateway runs elsewhere.
  const gateway =
    process.env.PAYMENT_PROVIDER === "local" && !process.env.RAZORPAY_BASE_URL
      ? spawn(process.execPath, ["scripts/gateway.ts"], { cwd: import.meta.dirname, stdio: "inherit" })
      : null;
  try {
    if (embedded) await use(process.pid);
    code = await supervise();
  } catch (error) {
    console.error(error);
  }
  gateway?.kill();
  // scripts/bootstrap.mjs registered npm's process as a user of the database.
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
    // Expected errors are shown without a stack.
    console.error(name === "EnvironmentError" || name === "StartError" ? message : error);
    process.exit(1);
  }
}
