import type { Plugin } from "vite";

/**
 * sonner writes its style sheet into the page by script, which our policy refuses (no `unsafe-inline`), and brings 17 KB
 * for looks we do not use. Ours is app/ui/toaster.css.
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
