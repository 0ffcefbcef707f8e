/** Fonts of the browser in tests: those of an Android phone, from packages, so that a layout measures the same on every machine. */
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = ["roboto", "noto-sans-telugu", "noto-sans-devanagari"];
/** The weights of app/styles. */
const WEIGHTS = ["400Regular", "500Medium", "700Bold"];

const folderOf = (name: string) => dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${name}/package.json`)));

/** Fonts of the system are left out: they would change what is measured. */
const config = (folders: string[], cache: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${folder.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</dir>`).join("\n")}
  <cachedir>${cache}</cachedir>
  <match target="pattern">
    <edit name="family" mode="append_last" binding="weak">
      <string>Roboto</string>
    </edit>
  </match>
</fontconfig>
`;

/** Writes fontconfig's configuration for these fonts alone and returns its path, for `FONTCONFIG_FILE`. */
export function writeFontConfig(): string {
  const folders = PACKAGES.flatMap((name) => WEIGHTS.map((weight) => join(folderOf(name), weight)));
  const key = createHash("sha256").update(folders.join("\n")).digest("hex").slice(0, 12);
  const home = join(tmpdir(), `nadi-fonts-${process.getuid?.() ?? 0}-${key}`);
  mkdirSync(join(home, "cache"), { recursive: true });
  const path = join(home, "fonts.conf");
  // Several workers write at the same time.
  const fresh = join(home, `fonts.conf.${process.pid}`);
  writeFileSync(fresh, config(folders, join(home, "cache")));
  renameSync(fresh, path);
  return path;
}
