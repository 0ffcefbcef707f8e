import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assetsOf, BASE_LANGUAGE } from "../app/lib/language.ts";
import { MANIFEST_PARTS, manifestPart } from "../app/lib/manifest-parts.ts";

const BEFORE = "window.__reactRouterManifest=";

/** Runs at the end of the build: writes the parts of the manifest beside React Router's. */
export function writeManifestParts(client: string): void {
  const folder = join(client, assetsOf(BASE_LANGUAGE));
  for (const name of readdirSync(folder).filter((name) => /^manifest-\w+\.js$/.test(name))) {
    const text = readFileSync(join(folder, name), "utf8");
    if (!text.startsWith(BEFORE)) continue; // the chunk of a route named "manifest"
    const whole = JSON.parse(text.slice(BEFORE.length).replace(/;\s*$/, ""));
    for (const name of MANIFEST_PARTS) {
      const part = manifestPart(whole, name);
      writeFileSync(join(client, part.url), `${BEFORE}${JSON.stringify(part)};`);
    }
  }
}
