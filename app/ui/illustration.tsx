/** Drawings. The server writes them into the page; a client navigation to a page with a drawing loads them. */
import { useContext, useEffect, useRef } from "react";
import { classes } from "./class-names.ts";
import { DocumentContext } from "./document.tsx";
import type { drawings } from "./drawings.ts";

export type Drawing = keyof typeof drawings;

/** A decorative drawing: needs text next to it. `className`: its greatest width. */
export function Illustration({ name, className }: { name: Drawing; className?: string }) {
  const draw = useContext(DocumentContext)?.drawing;
  const svg = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const show = async () => {
      if (!svg.current || svg.current.childElementCount) return;
      // Without the network the place stays empty.
      const loaded = await import("./drawings.ts").catch(() => null);
      if (loaded && svg.current) svg.current.innerHTML = loaded.drawings[name];
    };
    void show();
  }, [name]);
  return (
    <svg
      key={name}
      ref={svg}
      className={classes("m-auto h-auto w-full text-ink", className)}
      viewBox="0 0 240 180"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing
      dangerouslySetInnerHTML={{ __html: draw?.(name) ?? "" }}
    />
  );
}
