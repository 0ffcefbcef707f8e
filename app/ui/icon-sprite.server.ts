import type { IconName } from "./icon.tsx";
import { iconPaths } from "./icon-paths.ts";

/** Returns the `<symbol>`s of icons. entry.server.tsx passes this function to the document. */
export function renderSprite(names: Iterable<IconName>): string {
  let symbols = "";
  for (const name of names) symbols += `<symbol id="i-${name}" viewBox="0 0 24 24">${iconPaths[name]}</symbol>`;
  return symbols;
}
