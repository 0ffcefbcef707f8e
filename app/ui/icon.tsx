/**
 * Icons. `<Icon name>` references one sprite at the end of the body. The server writes the icons that the page used; none are
 * in the first JavaScript. A client navigation with a new icon loads all others once.
 */
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { classes } from "./class-names.ts";
import { DocumentContext } from "./document.tsx";
import type { iconPaths } from "./icon-paths.ts";

export type IconName = keyof typeof iconPaths;

const UsedIcons = createContext<Set<IconName> | null>(null);
const SPRITE_ID = "icons";
const sentSprite = typeof document === "undefined" ? "" : (document.getElementById(SPRITE_ID)?.innerHTML ?? "");

/** An icon of lines, hidden from screen readers: needs a text or `aria-label` next to it. */
export function Icon({ name, small, className }: { name: IconName; small?: boolean; className?: string }) {
  useContext(UsedIcons)?.add(name);
  useEffect(() => {
    if (!document.getElementById(`i-${name}`)) void addIcons();
  }, [name]);
  // One element for React instead of two: a page has about a hundred icons.
  const inner = `<use href="#i-${name}"></use>`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own icons
  return <svg className={classes("i", small && "s", className)} aria-hidden="true" dangerouslySetInnerHTML={{ __html: inner }} />;
}

/** Wraps the body (root Layout): collects the icons and writes the sprite at the end. */
export function IconSprite({ children }: { children: ReactNode }) {
  const used = typeof document === "undefined" ? new Set<IconName>() : null;
  return (
    <UsedIcons value={used}>
      {children}
      <Sprite used={used} />
    </UsedIcons>
  );
}

function Sprite({ used }: { used: Set<IconName> | null }) {
  const sprite = useContext(DocumentContext)?.sprite;
  const symbols = used && sprite ? sprite(used) : sentSprite;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own icons
    <svg id={SPRITE_ID} className="sr-only" aria-hidden="true" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: symbols }} />
  );
}

let adding: Promise<void> | undefined;
/** Adds missing icons to the sprite. Without a network they stay empty until the next new icon. */
function addIcons(): Promise<void> {
  adding ??= import("./icon-paths.ts")
    .then(({ iconPaths }) => {
      const sprite = document.getElementById(SPRITE_ID);
      if (!sprite) return;
      let missing = "";
      for (const [name, inner] of Object.entries(iconPaths))
        if (!document.getElementById(`i-${name}`)) missing += `<symbol id="i-${name}" viewBox="0 0 24 24">${inner}</symbol>`;
      sprite.insertAdjacentHTML("beforeend", missing);
    })
    .catch(() => undefined)
    .finally(() => {
      adding = undefined;
    });
  return adding;
}
