/**
 * Icons. `<Icon name>` points into one sprite at the end of the body. On the server the sprite holds what the page used,
 * collected while it was rendered; no icon's path is in the first JavaScript. A client-side navigation that meets a new
 * icon loads the rest of them once.
 */
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { DocumentContext } from "./document.tsx";
import type { iconPaths } from "./icon-paths.ts";

export type IconName = keyof typeof iconPaths;

const UsedIcons = createContext<Set<IconName> | null>(null);
const SPRITE_ID = "icons";
const sentSprite = typeof document === "undefined" ? "" : (document.getElementById(SPRITE_ID)?.innerHTML ?? "");

/** One outline icon, hidden from screen readers: the word beside it, or the control's `aria-label`, says what it means. */
export function Icon({ name, small, className }: { name: IconName; small?: boolean; className?: string }) {
  useContext(UsedIcons)?.add(name);
  useEffect(() => {
    if (!document.getElementById(`i-${name}`)) void addIcons();
  }, [name]);
  return (
    <svg className={`i${small ? " s" : ""}${className ? ` ${className}` : ""}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** Around the whole body (root Layout): collects the icons and writes the sprite after everything that uses it. */
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
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own icons
  return <svg id={SPRITE_ID} className="vh" aria-hidden="true" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: symbols }} />;
}

let adding: Promise<void> | undefined;
/** Completes the sprite with every icon it lacks. Without a network an icon stays empty until the next one asks again. */
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
