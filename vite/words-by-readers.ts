import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { minifySync, type Plugin } from "vite";
import { assetsOf, BASE_LANGUAGE, LANGUAGES, type Language } from "../app/lib/language.ts";

const require = createRequire(import.meta.url);
type Catalogue = Record<string, (inputs: object) => string>;
/** Placeholder of a message in client files until the end of the build: its key, and a hash of its texts. */
const SENTENCE = "__sentence__";
const PLACEHOLDER = new RegExp(`${SENTENCE}\\(([\`"'])(\\w+) \\w+\\1\\)`, "g");

/**
 * Splits the messages of the browser into one module each, chunked by their readers (`wordsChunk`). `speakEachLanguage` writes them in each language. The server and development use one module per language,
 * which loads faster.
 */
export function wordsByReaders(): Plugin {
  return {
    name: "nadi-words-by-readers",
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

const MESSAGE = /^\0words[\\/](\w+_\w+)$/;
/** Whose pages a file is for, by the routes that import it. The first one that matches decides. */
const READERS: { chunk: string; routes: RegExp }[] = [
  { chunk: "words", routes: /^app[\\/](root|routes[\\/](patient|public|sos|shared|files|auth)[\\/])/ },
  { chunk: "words-practice", routes: /^app[\\/]routes[\\/](doctor|clinic|desk|account|onboarding)[\\/]/ },
  { chunk: "words-office", routes: /^app[\\/]/ },
];
type Graph = { getModuleInfo(id: string): { importers: string[]; dynamicImporters: string[] } | null };

/**
 * The chunk of a message: one for each kind of readers, so that a page loads one file of messages and not one for each prefix. A
 * message with one user in the browser stays in the chunk of that file.
 * @param isShared whether a source file is in a chunk for many pages
 */
export const wordsChunk = (isShared: (path: string) => boolean) => {
  const users = new Map<string, Set<string>>();
  const chunks = new Map<string, number>();
  /** The index of the first kind of readers that this module reaches. */
  const readersOf = (id: string, graph: Graph, seen: Set<string>): number => {
    const path = relative(process.cwd(), id.replace(/\?.*/, "")) || id;
    const own = READERS.findIndex(({ routes }) => routes.test(path));
    if (own === 0 || /[\\/]routes[\\/]/.test(path)) return own;
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {};
    let first = READERS.length - 1;
    for (const importer of [...importers, ...dynamicImporters]) {
      if (seen.has(importer)) continue;
      seen.add(importer);
      first = Math.min(first, readersOf(importer, graph, seen));
    }
    return first;
  };
  const chunkOf = (user: string, graph: Graph): number => {
    const known = chunks.get(user);
    if (known !== undefined) return known;
    const found = readersOf(resolve(user), graph, new Set());
    chunks.set(user, found);
    return found;
  };
  return {
    debugName: "words",
    test: MESSAGE,
    name: (id: string, graph: Graph) => {
      if (!users.size) readUsers(users);
      const [, key = ""] = MESSAGE.exec(id) ?? [];
      // A file that only the server loads is not in the browser's graph.
      const isInBrowser = (user: string) => user.startsWith("app/routes/") || graph.getModuleInfo(resolve(user)) !== null;
      const all = [...(users.get(key) ?? [])].filter(isInBrowser);
      if (all.length === 1 && !isShared(all[0]!)) return null;
      return READERS[Math.min(READERS.length - 1, ...all.map((user) => chunkOf(user, graph)))]!.chunk;
    },
  };
};

/** Finds the source files that use each message: `m.appointments_title`. */
function readUsers(users: Map<string, Set<string>>): void {
  for (const name of readdirSync("app", { recursive: true }) as string[]) {
    const path = `app/${name.replaceAll("\\", "/")}`;
    if (!/\.tsx?$/.test(path) || /\.server\.tsx?$|\.test\.tsx?$|^app\/paraglide\//.test(path)) continue;
    for (const [, key = ""] of readFileSync(path, "utf8").matchAll(/\bm\.(\w+)/g)) {
      const known = users.get(key) ?? new Set();
      users.set(key, known.add(path));
    }
  }
}

/**
 * Loads the messages that Paraglide's plugin compiled at the start of the build. Uses `require`, because Vite transforms what
 * it imports.
 */
function readCatalogues(): Record<Language, Catalogue> {
  const read = (language: Language) => [language, require(resolve("app/paraglide/messages", `${language}.js`))];
  return Object.fromEntries(LANGUAGES.map(read));
}

/** Returns the minified function of one message. */
function sentence(catalogue: Catalogue, key: string): string {
  const source = String(catalogue[key]).replaceAll("registry.plural(", "((l,v,o)=>new Intl.PluralRules(l,o).select(Number(v)))(");
  try {
    new Function(`return ${source}`)()({});
  } catch (error) {
    throw new Error(`${key}: a browser knows nothing but plurals (vite/words-by-readers.ts)`, { cause: error });
  }
  const { code, errors } = minifySync("sentence.js", `x=${source}`);
  if (errors.length) throw new Error(`${key}: ${errors[0]?.message}`);
  return code.trim().replace(/^x=/, "").replace(/;$/, "");
}

/**
 * Runs at the end of the build: writes every script once for each language into a folder of its own, so that relative imports
 * stay in one language (docs/decisions/025).
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
        .replace(PLACEHOLDER, (whole, _quote, key: string, at: number) => {
          const text = sentence(catalogues[language], key);
          const alone = source[at - 1] === "=" && /[,;\n]/.test(source[at + whole.length] ?? "\n");
          return alone ? text : `(${text})`;
        })
        .replace(new RegExp(`(["\`'/])${base}/([\\w.-]+\\.js)`, "g"), (whole, before: string, script: string) =>
          scripts.has(script) ? `${before}${folder}/${script}` : whole,
        );
      if (spoken.includes(SENTENCE)) throw new Error(`${name}: a sentence was not put into ${language}`);
      writeFileSync(join(client, folder, name), spoken);
    }
  }
}
