import { ensureTemplate, sweep } from "./database.ts";

/** Before all browser tests: the demo template, so that the workers do not wait for each other. */
export default async function setup() {
  await ensureTemplate("demo");
  return async () => {
    await sweep();
  };
}
