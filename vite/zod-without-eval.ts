import type { Plugin } from "vite";

/**
 * zod tries `new Function` to learn whether it may compile its schemas. Our policy refuses that, and browsers report it as a
 * violation. `jitless` skips the try, but has to be set before the first schema is made, which is before our own code runs.
 */
export function zodWithoutEval(): Plugin {
  return {
    name: "zod-without-eval",
    // The server compiles its schemas: it has no such policy, and is faster for it.
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!/[\\/]zod[\\/]v4[\\/]core[\\/]core\.js/.test(id)) return;
      const without = code.replace("__zod_globalConfig = {}", "__zod_globalConfig = { jitless: true }");
      if (without === code) this.error("zod has changed: its configuration was not found where it used to be");
      return { code: without, map: null };
    },
  };
}
