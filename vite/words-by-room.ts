import { resolve } from "node:path";
import { compile } from "@inlang/paraglide-js";
import type { Plugin } from "vite";

const OUT = resolve("build/words");

/**
 * The browser's copy of the catalogue: a module for each sentence, gathered by room (`wordsRoom`), so that a page brings
 * the sentences of the rooms it shows and not of all. The server and development keep the one big module, which loads faster.
 */
export function wordsByRoom(): Plugin {
  return {
    name: "nadi-words-by-room",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    async buildStart() {
      await compile({ project: "./project.inlang", outdir: OUT, outputStructure: "message-modules" });
    },
    resolveId: (source) => (/^#app\/paraglide\/(messages|runtime)\.js$/.test(source) ? resolve(OUT, source.slice(15)) : null),
  };
}

/** Keys begin with their room: `appointments_title`. */
const ROOM = /[\\/]build[\\/]words[\\/]messages[\\/]([a-z]+)_\w+\.js$/;
export const WORDS_CHUNK = { name: (id: string) => `words-${ROOM.exec(id)?.[1] ?? "all"}`, test: ROOM };
