/** Before all vitest files: the templates; after them: no copy is left. */
import { ensureTemplate, sweep } from "./database.ts";

export default async function setup() {
  await sweep();
  await ensureTemplate("demo");
  return async () => {
    await sweep();
  };
}
