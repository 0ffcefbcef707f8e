import type { Plugin } from "vite";

/**
 * Sets zod's `jitless` option. Otherwise zod tries `new Function`, which our CSP refuses and browsers report as a violation. It
 * must be set before the first schema exists, which is before our own code runs.
 */
export function zodWithoutEval(): Plugin {
  return {
    name: "zod-without-eval",
    // The server has no CSP: it compiles its schemas, which is faster.
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      if (!/[\\/]zod[\\/]v4[\\/]core[\\/]core\.js/.test(id)) return;
      const without = code.replace("__zod_globalConfig = {}", "__zod_globalConfig = { jitless: true }");
      if (without === code) this.error("zod has changed: its configuration was not found where it used to be");
      return { code: without, map: null };
    },
  };
}
