import type { Plugin } from "vite";

/**
 * Removes the stylesheet that sonner injects by script without a nonce, which our CSP refuses (emilkowalski/sonner#449). Ours is
 * app/ui/toaster.css.
 */
export function sonnerWithoutStyle(): Plugin {
  return {
    name: "sonner-without-style",
    transform(code, id) {
      if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs/.test(id)) return;
      const without = code.replace(/^__insertCSS\(".*"\);?$/m, "");
      if (without === code) this.error("sonner has changed: its style sheet was not found where it used to be");
      return { code: without, map: null };
    },
  };
}
