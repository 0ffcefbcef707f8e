// Thin on purpose: everything with a state lives in the server build, one graph of modules. Started by `npm start`.
import { release, use } from "./scripts/db.mjs";

process.env.NODE_ENV ||= "production"; // a copied .env.example says NODE_ENV=
const embedded = !process.env.DATABASE_URL;
// npm itself was noted as a user while it prepared the database (scripts/bootstrap.mjs).
const letGo = () => (embedded ? release(process.pid, process.ppid) : Promise.resolve());

try {
  if (embedded) await use(process.pid);
  const { start } = (await import("./build/server/index.js" as string)) as typeof import("./app/server/index.ts");
  const { stopped } = await start();
  await stopped;
  await letGo();
  process.exit(0);
} catch (error) {
  const { name, message } = error as Error;
  // Expected ones are told in a line or a list; anything else with its stack.
  console.error(name === "EnvironmentError" || name === "StartError" ? message : error);
  await letGo().catch(() => undefined);
  process.exit(1);
}
