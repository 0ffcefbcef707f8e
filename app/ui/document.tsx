/** What the document around every page needs from the server, and what it reads back from itself in the browser. */
import { createContext, useContext } from "react";
import { useMatches } from "react-router";
import deskHref from "../desk.css?url";
import formHref from "../form.css?url";
import helpHref from "../help.css?url";
import moreHref from "../more.css?url";
import sosHref from "../sos.css?url";
import type { IconName } from "./icon.tsx";

/** What a route may say about its page: `export const handle: PageHandle = { lite: true, cache: 300 }`. */
export type PageHandle = {
  /** Seconds the ready page may be served to visitors without a session. */
  cache?: number;
  /** A page without scripts. */
  lite?: boolean;
  /** A page that is kept for when there is no network: its CSS is always written into it. */
  alone?: true;
  /** A page with choices, uploads, days or times, and neither `desk` nor `more`: form.css is added. */
  form?: true;
  /** A page for doctors, reviewers and administrators: desk.css is added. */
  desk?: true;
  /** A page for patients beside the way to a booking (sign in, profile, wallet, chat …): more.css is added. */
  more?: true;
  /** Questions with folded answers, and neither `desk` nor `more`: help.css is added. */
  help?: true;
  /** A page with Google's map, where a key for it is set: its policy lets the map in. */
  map?: true;
  /** The emergency page: sos.css is added, and nothing else, so that it is the lightest of all. */
  sos?: true;
  /**
   * Without scripts the page asks the server again: the content of its `<meta http-equiv="refresh">` ("5", "60;url=/admin"),
   * or null. HTML allows that in the head only, so entry.server.tsx writes it there.
   */
  refresh?: (loaderData: unknown, actionData: unknown) => string | null;
  /** `false`: no bottom bar, because the page has a dock in its place. */
  bar?: false;
};

/** One stylesheet: its file, and its text when this visitor's browser does not hold the file yet. */
export type Sheet = { href: string; inline: string | null };
/** `app` is on every page; the others are brought by a route's `handle`. */
export type SheetName = "app" | AddedSheet;
export const ADDED_SHEETS = ["form", "desk", "more", "help", "sos"] as const;
export type AddedSheet = (typeof ADDED_SHEETS)[number];
const ADDED_HREFS: Record<AddedSheet, string> = { form: formHref, desk: deskHref, more: moreHref, help: helpHref, sos: sosHref };

/** Given by entry.server.tsx through `<DocumentContext value={…}>`; null in the browser and in unit tests. */
export type DocumentFacts = {
  /** CSP nonce; null in development. */
  nonce: string | null;
  /** The person asked for pages without scripts. */
  lite: boolean;
  sheets: Record<SheetName, Sheet>;
  /** Which of them this page needs beside `app`. */
  added: readonly AddedSheet[];
  /** `renderSprite` of icon-sprite.server.ts: the page's icons, once each. */
  sprite: (names: Iterable<IconName>) => string;
};
export const DocumentContext = createContext<DocumentFacts | null>(null);

const inBrowser = typeof document !== "undefined";
// In the browser: the very tags the server sent, so that hydration and remounts agree.
const sent: Record<SheetName, Sheet | null> = {
  app: sentSheet("app"),
  form: sentSheet("form"),
  desk: sentSheet("desk"),
  more: sentSheet("more"),
  help: sentSheet("help"),
  sos: sentSheet("sos"),
};
function sentSheet(name: SheetName): Sheet | null {
  const tag = inBrowser ? document.getElementById(`css-${name}`) : null;
  if (!tag) return null;
  return tag instanceof HTMLLinkElement
    ? { href: tag.getAttribute("href") ?? "", inline: null }
    : { href: tag.dataset.href ?? "", inline: tag.textContent };
}

/** The page's CSS: written into the page on a first visit, linked afterwards. */
export function Styles() {
  const facts = useContext(DocumentContext);
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  const app = facts ? facts.sheets.app : sent.app;
  return (
    <>
      {app && <SheetTag name="app" sheet={app} />}
      {ADDED_SHEETS.map((name) => {
        const sheet = facts ? (facts.added.includes(name) ? facts.sheets[name] : null) : sent[name];
        if (sheet) return <SheetTag key={name} name={name} sheet={sheet} />;
        return handles.some((handle) => handle?.[name]) ? <LateSheet key={name} name={name} /> : null;
      })}
    </>
  );
}

/**
 * A sheet that the document did not bring, because its page was reached without a new document, or failed in the browser:
 * `precedence` makes React wait for the file.
 */
export function LateSheet({ name }: { name: AddedSheet }) {
  if (useContext(DocumentContext) || sent[name]) return null;
  return <link rel="stylesheet" href={ADDED_HREFS[name]} precedence={name} />;
}

function SheetTag({ name, sheet }: { name: SheetName; sheet: Sheet }) {
  const id = `css-${name}`;
  if (sheet.inline === null) return <link id={id} rel="stylesheet" href={sheet.href} />;
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build's CSS */}
      <style id={id} data-href={sheet.href} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet.inline }} />
      <link rel="prefetch" as="style" href={sheet.href} />
    </>
  );
}

/** True when this page is sent without scripts: by the route's handle, or because the person asked for it. */
export function useLite(): boolean {
  const forced = useContext(DocumentContext)?.lite ?? false;
  return useMatches().some((match) => (match.handle as PageHandle | undefined)?.lite) || forced;
}
