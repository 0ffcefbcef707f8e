import type { Plugin } from "vite";

/**
 * Removes the stylesheet that sonner injects by script: our CSP refuses it (no `unsafe-inline`), and we do not use its 17 KB.
 * Ours is app/ui/toaster.css.
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
