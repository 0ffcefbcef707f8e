/** Data of the document around every page: from the server, and in the browser read from the document. */
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect } from "react";
import { useMatches } from "react-router";
import type { RouteRules } from "#app/lib/route-rules.ts";
import patientsHref from "../styles/patients.css?url";
import staffHref from "../styles/staff.css?url";
import visitorsHref from "../styles/visitors.css?url";
import type { IconName } from "./icon.tsx";
import type { Drawing } from "./illustration.tsx";

/** Options of a route's page, and rules of its requests: `export const handle: PageHandle = { lite: true, cache: 300 }`. */
export type PageHandle = RouteRules & {
  /** Seconds the page may be cached for visitors without a session. */
  cache?: number;
  /** A page without scripts. */
  lite?: boolean;
  /** URL of the page's own small script, which a page without the app's scripts has too. */
  script?: string;
  /** A page for offline use: its CSS is always inline. */
  alone?: true;
  /** Allows Google Maps in the CSP, if a key is configured. */
  map?: true;
  /**
   * Returns the content of `<meta http-equiv="refresh">` for pages without scripts ("5", "60;url=/admin"), or null.
   */
  refresh?: (loaderData: unknown, actionData: unknown) => string | null;
  /** `false`: no bottom bar, because the page has a dock. */
  bar?: false;
};

/** Whose sheet a page has. Those of patients and staff have the classes of visitors too. */
export type Audience = "visitors" | "patients" | "staff";
export const SHEETS: Record<Audience, string> = { visitors: visitorsHref, patients: patientsHref, staff: staffHref };
/** The stylesheet of a document: its file, and its text when it is inlined. */
export type Sheet = { of: Audience; href: string; inline: string | null };

/** Provided by entry.server.tsx with `<DocumentContext value={…}>`; null in the browser and in unit tests. */
export type DocumentFacts = {
  /** CSP nonce; null in development. */
  nonce: string | null;
  /** The user chose pages without scripts. */
  lite: boolean;
  sheet: Sheet;
  /** `renderSprite` of icon-sprite.server.ts. */
  sprite: (names: Iterable<IconName>) => string;
  /** Returns the content of a drawing (drawings.ts). */
  drawing: (name: Drawing) => string;
  /** Path and search of the page, when it answers a post to another URL. */
  address: string | undefined;
  /** Content of the refresh tag for pages without scripts; null: none. */
  refresh: string | null;
  /** Text of the script for SOS without a network; null in development. */
  noNetwork: string | null;
};
export const DocumentContext = createContext<DocumentFacts | null>(null);

// In the browser: the tag that the server sent, so that hydration matches.
const sent = typeof document === "undefined" ? null : sentSheet();
function sentSheet(): Sheet | null {
  const tag = document.getElementById("css");
  if (!tag) return null;
  const of = tag.dataset.of as Audience;
  return tag instanceof HTMLLinkElement ? { of, href: SHEETS[of], inline: null } : { of, href: SHEETS[of], inline: tag.textContent };
}

/** What only the server writes into the head: React ignores elements there that it did not render. */
export function ServerHead() {
  const facts = useContext(DocumentContext);
  if (!facts) return null;
  const { nonce, lite, address, refresh, noNetwork } = facts;
  const meta = refresh && <meta httpEquiv="refresh" content={refresh} />;
  return (
    <>
      {/* Before scripts read the URL. */}
      {address && nonce && (
        <Script nonce={nonce}>{`history.replaceState(null,"",${jsonInScript(address)});document.currentScript.remove()`}</Script>
      )}
      {meta && (lite ? meta : <noscript>{meta}</noscript>)}
      {noNetwork && <Script nonce={nonce}>{noNetwork}</Script>}
    </>
  );
}
const jsonInScript = (value: string) => JSON.stringify(value).replaceAll("<", "\\u003c");
const Script = ({ nonce, children }: { nonce: string | null; children: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script
  <script nonce={nonce ?? undefined} dangerouslySetInnerHTML={{ __html: children }} />
);

/** The stylesheet of the document. The inlined one is requested as a file for the next page. */
export function Styles() {
  const sheet = useContext(DocumentContext)?.sheet ?? sent;
  if (!sheet) return null;
  if (sheet.inline === null) return <link id="css" data-of={sheet.of} rel="stylesheet" href={sheet.href} />;
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build's CSS */}
      <style id="css" data-of={sheet.of} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet.inline }} />
      <NextSheet of={sheet.of} />
    </>
  );
}

/**
 * The sheet of a frame or page that a visitor may reach without a new document, after a login or from the emergency page. `precedence` makes
 * React wait for the file. It has the classes of visitors too. Their own sheet stands after it and would overrule its variants, so it is disabled.
 */
export function SheetOf({ audience }: { audience: "patients" | "staff" }) {
  const isSent = useContext(DocumentContext) !== null || sent?.of === audience;
  useLayoutEffect(() => {
    const tag = document.getElementById("css") as HTMLLinkElement | HTMLStyleElement | null;
    if (isSent || !tag) return;
    tag.disabled = true;
    return () => {
      tag.disabled = false;
    };
  }, [isSent]);
  if (isSent) return null;
  return <link rel="stylesheet" href={SHEETS[audience]} precedence={audience} />;
}

/** Requests the sheet of the next page: with scripts after hydration, so that it does not compete with them. */
export function NextSheet({ of }: { of: Audience }) {
  const lite = useLite();
  useEffect(() => {
    const request = () => document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: SHEETS[of] }));
    // A task of its own: a link starts its request as it is added, which takes a phone 10 ms.
    if (sent?.of !== of || sent.inline !== null) setTimeout(request);
  }, [of]);
  const prefetch = <link rel="prefetch" href={SHEETS[of]} />;
  return lite ? prefetch : <noscript>{prefetch}</noscript>;
}

/** What only pages without scripts show, as their refresh tag. */
export const WithoutScripts = ({ children }: { children: ReactNode }) => (useLite() ? children : <noscript>{children}</noscript>);

/** True when this page is sent without scripts: by the route's handle or the user's choice. */
export function useLite(): boolean {
  const forced = useContext(DocumentContext)?.lite ?? false;
  return useMatches().some((match) => (match.handle as PageHandle | undefined)?.lite) || forced;
}
