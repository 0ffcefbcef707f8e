/** Creates the templates before all vitest files, and drops the copies after them. */
import { ensureTemplate, sweep } from "./database.ts";

export default async function setup() {
  await sweep();
  await ensureTemplate("demo");
  return async () => {
    await sweep();
  };
}
