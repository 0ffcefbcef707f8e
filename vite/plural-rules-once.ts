import type { Plugin } from "vite";

const CALL = "new Intl.PluralRules(locale, options)";

/**
 * Creates the plural rules of a language once: Paraglide's code creates them for each plural of each page, 4 % of the server's time
 * on a dashboard (docs/performance.md). Fails the build when Paraglide writes other code, or a message passes options.
 */
export function pluralRulesOnce(): Plugin {
  return {
    name: "nadi-plural-rules-once",
    apply: "build",
    transform(code, id) {
      if (!id.endsWith("/app/paraglide/registry.js")) return null;
      if (!code.includes(CALL)) throw new Error(`Paraglide's registry has no "${CALL}" (vite/plural-rules-once.ts)`);
      return `const rules = new Map();
const rulesOf = (locale, options) => {
  if (Object.keys(options ?? {}).length) throw new Error("a plural has options: store its rules apart (vite/plural-rules-once.ts)");
  let known = rules.get(locale);
  if (!known) rules.set(locale, (known = new Intl.PluralRules(locale)));
  return known;
};
${code.replace(CALL, "rulesOf(locale, options)")}`;
    },
  };
}
