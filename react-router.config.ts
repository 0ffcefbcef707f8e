import type { Config } from "@react-router/dev/config";
import { writeManifestParts } from "./vite/manifest-parts.ts";
import { precompress } from "./vite/precompress.ts";
import { speakEachLanguage } from "./vite/words-by-readers.ts";

export default {
  ssr: true,
  // The map of pages is one file that never changes; found lazily, a part of it would be in every page and asked for again.
  routeDiscovery: { mode: "initial" },
  buildEnd() {
    writeManifestParts("build/client");
    speakEachLanguage("build/client");
    precompress("build/client");
  },
} satisfies Config;
