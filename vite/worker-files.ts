import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const REFERENCE = /new URL\(\s*"(\.\/[\w-]+\.worker\.ts)",\s*import\.meta\.url,?\s*\)/g;

/**
 * Builds each `new URL("./x.worker.ts", import.meta.url)` of the server as a file of its own, which node:worker_threads loads.
 * Development and tests run the source itself.
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
          // The server's chunks are in assets/ too.
          this.emitFile({ type: "chunk", id: file, fileName: `assets/${name}.js` });
          return `new URL("./${name}.js", import.meta.url)`;
        });
        return replaced === code ? null : { code: replaced, map: null };
      },
    },
  };
}
