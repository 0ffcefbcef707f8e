import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { minifySync, type Plugin } from "vite";
import { assetsOf, BASE_LANGUAGE, LANGUAGES, type Language } from "../app/lib/language.ts";

const require = createRequire(import.meta.url);
type Catalogue = Record<string, (inputs: object) => string>;
/** A sentence as it stands in the browser's files until the build's end: its key, and a mark of its text in every language. */
const SENTENCE = "__sentence__";
const STANDS = new RegExp(`${SENTENCE}\\(([\`"'])(\\w+) \\w+\\1\\)`, "g");

/**
 * The browser's copy of the catalogue: a module for each sentence, gathered by room (`wordsRoom`), so that a page brings
 * the sentences of the rooms it shows and not of all. Which language they are in is decided by `speakEachLanguage`.
 * The server and development keep the one big module of each language, which loads faster.
 */
export function wordsByRoom(): Plugin {
  return {
    name: "nadi-words-by-room",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    resolveId(source) {
      if (source === "#app/paraglide/messages.js") return "\0words";
      return source.startsWith("\0words/") ? source : null;
    },
    load(id) {
      if (id === "\0words") return 'export * as m from "\0words/all"';
      if (!id.startsWith("\0words/")) return null;
      const catalogues = readCatalogues();
      const keys = Object.keys(catalogues[BASE_LANGUAGE]);
      if (id === "\0words/all") return keys.map((key) => `export { ${key} } from "\0words/${key}"`).join("\n");
      const key = id.slice("\0words/".length);
      const texts = LANGUAGES.map((language) => sentence(catalogues[language], key));
      const mark = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 8);
      return { code: `export const ${key} = /* @__PURE__ */ ${SENTENCE}("${key} ${mark}")`, moduleSideEffects: false };
    },
  };
}

/** Keys begin with their room: `appointments_title`. */
const ROOM = /^\0words[\\/]([a-z]+)_\w+$/;
export const WORDS_CHUNK = { debugName: "words", name: (id: string) => `words-${ROOM.exec(id)?.[1] ?? "all"}`, test: ROOM };

/**
 * What Paraglide's own plugin has compiled at the beginning of the build. Asked for with `require`: of what it imports, Vite
 * changes the text, and here the text is what is wanted.
 */
function readCatalogues(): Record<Language, Catalogue> {
  const read = (language: Language) => [language, require(resolve("app/paraglide/messages", `${language}.js`))];
  return Object.fromEntries(LANGUAGES.map(read));
}

/** One sentence as a function, as small as it goes. */
function sentence(catalogue: Catalogue, key: string): string {
  const source = String(catalogue[key]).replaceAll("registry.plural(", "((l,v,o)=>new Intl.PluralRules(l,o).select(Number(v)))(");
  try {
    new Function(`return ${source}`)()({});
  } catch (error) {
    throw new Error(`${key}: a browser knows nothing but plurals (vite/words-by-room.ts)`, { cause: error });
  }
  const { code, errors } = minifySync("sentence.js", `x=${source}`);
  if (errors.length) throw new Error(`${key}: ${errors[0]?.message}`);
  return code.trim().replace(/^x=/, "").replace(/;$/, "");
}

/**
 * The end of the build: every script once for each language, all of one language in a folder of its own, so that they find
 * each other there by themselves and a page loads the words of no other language (docs/decisions/025).
 */
export function speakEachLanguage(client: string): void {
  const catalogues = readCatalogues();
  const base = assetsOf(BASE_LANGUAGE);
  const names = readdirSync(join(client, base)).filter((name) => name.endsWith(".js"));
  const scripts = new Set(names);
  const sources = names.map((name) => [name, readFileSync(join(client, base, name), "utf8")] as const);
  for (const language of LANGUAGES) {
    const folder = assetsOf(language);
    mkdirSync(join(client, folder), { recursive: true });
    for (const [name, source] of sources) {
      const spoken = source
        .replace(STANDS, (whole, _quote, key: string, at: number) => {
          const said = sentence(catalogues[language], key);
          const alone = source[at - 1] === "=" && /[,;\n]/.test(source[at + whole.length] ?? "\n");
          return alone ? said : `(${said})`;
        })
        .replace(new RegExp(`(["\`'/])${base}/([\\w.-]+\\.js)`, "g"), (whole, before: string, script: string) =>
          scripts.has(script) ? `${before}${folder}/${script}` : whole,
        );
      if (spoken.includes(SENTENCE)) throw new Error(`${name}: a sentence was not put into ${language}`);
      writeFileSync(join(client, folder, name), spoken);
    }
  }
}
