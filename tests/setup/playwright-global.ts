import { ensureTemplate, sweep } from "./database.ts";

/** Creates the demo template before all browser tests, so that workers do not wait for each other. */
export default async function setup() {
  await ensureTemplate("demo");
  return async () => {
    await sweep();
  };
}
