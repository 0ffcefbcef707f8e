import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assetsOf, BASE_LANGUAGE } from "../app/lib/language.ts";
import { manifestOfPatients } from "../app/lib/manifest-of-patients.ts";

const BEFORE = "window.__reactRouterManifest=";

/** Runs at the end of the build: writes the manifest of patients beside React Router's. */
export function writePatientManifest(client: string): void {
  const folder = join(client, assetsOf(BASE_LANGUAGE));
  for (const name of readdirSync(folder).filter((name) => /^manifest-\w+\.js$/.test(name))) {
    const text = readFileSync(join(folder, name), "utf8");
    if (!text.startsWith(BEFORE)) continue; // the chunk of a route named "manifest"
    const part = manifestOfPatients(JSON.parse(text.slice(BEFORE.length).replace(/;\s*$/, "")));
    writeFileSync(join(client, part.url), `${BEFORE}${JSON.stringify(part)};`);
  }
}
