import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const REFERENCE = /new URL\(\s*"(\.\/[\w-]+\.worker\.ts)",\s*import\.meta\.url,?\s*\)/g;

/**
 * Builds each `new URL("./x.worker.ts", import.meta.url)` of the server as its own file for node:worker_threads. Development
 * and tests run the source.
 */
export function workerFiles(): Plugin {
  return {
    name: "nadi-worker-files",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "ssr",
    transform: {
      filter: { code: ".worker.ts" },
      handler(code, id) {
        const replaced = code.replace(REFERENCE, (_, path: string) => {
          const name = path.slice(2).replace(/\.ts$/, "");
          const file = fileURLToPath(new URL(path, `file://${id}`));
          // Next to the server's chunks.
          this.emitFile({ type: "chunk", id: file, fileName: `assets/${name}.js` });
          return `new URL("./${name}.js", import.meta.url)`;
        });
        return replaced === code ? null : { code: replaced, map: null };
      },
    },
  };
}
