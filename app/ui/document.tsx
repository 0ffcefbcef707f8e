/** Data of the document around every page: from the server, and in the browser read from the document. */
import { createContext, useContext, useEffect } from "react";
import { useMatches } from "react-router";
import type { RouteRules } from "#app/lib/route-rules.ts";
import agendaHref from "../agenda.css?url";
import apiHref from "../api.css?url";
import bookHref from "../book.css?url";
import caseHref from "../case.css?url";
import detailHref from "../detail.css?url";
import fillHref from "../fill.css?url";
import formHref from "../form.css?url";
import helpHref from "../help.css?url";
import listHref from "../list.css?url";
import moreHref from "../more.css?url";
import ownHref from "../own.css?url";
import sosHref from "../sos.css?url";
import staffHref from "../staff.css?url";
import tableHref from "../table.css?url";
import tabsHref from "../tabs.css?url";
import talkHref from "../talk.css?url";
import type { IconName } from "./icon.tsx";
import type { Drawing } from "./illustration.tsx";

/** Options of a route's page, and rules of its requests: `export const handle: PageHandle = { lite: true, cache: 300 }`. */
export type PageHandle = RouteRules & {
  /** Seconds the page may be cached for visitors without a session. */
  cache?: number;
  /** A page without scripts. */
  lite?: boolean;
  /** A page for offline use: its CSS is always inline. */
  alone?: true;
  /** Adds form.css: pages with choices, uploads, days or times, without `fill` or `more`. */
  form?: true;
  /** Adds book.css: steps of a booking, with `form`. */
  book?: true;
  /** Adds staff.css: pages of doctors, reviewers and administrators. */
  staff?: true;
  /** Adds fill.css: pages of staff with choices, uploads, days or times, with `staff`. */
  fill?: true;
  /** Adds case.css: documents and the history of a case, with `staff`. */
  case?: true;
  /** Adds table.css: tables and filters of lists, sheets to print and receipts, with `staff`. */
  table?: true;
  /** Adds agenda.css: agendas, lists of patients and the week of a doctor, with `staff`. */
  agenda?: true;
  /** Adds more.css: pages of patients outside the booking (sign in, city, reviews …). */
  more?: true;
  /** Adds detail.css: the pages of a doctor and of a hospital, and the list of hospitals. */
  detail?: true;
  /** Adds own.css: the patient's own pages (profile, wallet, notifications, settings, data, family). */
  own?: true;
  /** Adds tabs.css: tabs, without `staff` or `own`. */
  tabs?: true;
  /** Adds talk.css: the chat, with `more` or `staff`. */
  talk?: true;
  /** Adds help.css: questions with folded answers, without `staff` or `more`. */
  help?: true;
  /** Adds list.css: the lists of doctors and hospitals. */
  list?: true;
  /** Allows Google Maps in the CSP, if a key is configured. */
  map?: true;
  /** Adds api.css: the page of the API, with `staff`. */
  api?: true;
  /** Adds sos.css only: the emergency page, the smallest of all. */
  sos?: true;
  /**
   * Returns the content of `<meta http-equiv="refresh">` for pages without scripts ("5", "60;url=/admin"), or null.
   * entry.server.tsx writes it into the head.
   */
  refresh?: (loaderData: unknown, actionData: unknown) => string | null;
  /** `false`: no bottom bar, because the page has a dock. */
  bar?: false;
};

/** A stylesheet: its file, and its text when the browser has not cached the file. */
export type Sheet = { href: string; inline: string | null };
/** `app` is on every page; the `handle` of a route adds the others. */
export type SheetName = "app" | AddedSheet;
/** Files of the sheets beside app.css, in the order of the document. */
export const ADDED_HREFS = {
  form: formHref,
  book: bookHref,
  fill: fillHref,
  case: caseHref,
  table: tableHref,
  staff: staffHref,
  agenda: agendaHref,
  more: moreHref,
  detail: detailHref,
  own: ownHref,
  tabs: tabsHref,
  talk: talkHref,
  help: helpHref,
  list: listHref,
  api: apiHref,
  sos: sosHref,
} as const;
export type AddedSheet = keyof typeof ADDED_HREFS;
export const ADDED_SHEETS = Object.keys(ADDED_HREFS) as AddedSheet[];

/** Provided by entry.server.tsx with `<DocumentContext value={…}>`; null in the browser and in unit tests. */
export type DocumentFacts = {
  /** CSP nonce; null in development. */
  nonce: string | null;
  /** The user chose pages without scripts. */
  lite: boolean;
  sheets: Record<SheetName, Sheet>;
  /** Sheets of this page in addition to `app`. */
  added: readonly AddedSheet[];
  /** `renderSprite` of icon-sprite.server.ts. */
  sprite: (names: Iterable<IconName>) => string;
  /** Returns the content of a drawing (drawings.ts). */
  drawing: (name: Drawing) => string;
};
export const DocumentContext = createContext<DocumentFacts | null>(null);

const inBrowser = typeof document !== "undefined";
// In the browser: the tags that the server sent, so that hydration matches.
const sent = Object.fromEntries((["app", ...ADDED_SHEETS] as const).map((name) => [name, sentSheet(name)])) as Record<
  SheetName,
  Sheet | null
>;
function sentSheet(name: SheetName): Sheet | null {
  const tag = inBrowser ? document.getElementById(`css-${name}`) : null;
  if (!tag) return null;
  return tag instanceof HTMLLinkElement
    ? { href: tag.getAttribute("href") ?? "", inline: null }
    : { href: tag.dataset.href ?? "", inline: tag.textContent };
}

/** The page's CSS: inline on a first visit, linked later. */
export function Styles() {
  const facts = useContext(DocumentContext);
  const handles = useMatches().map((match) => match.handle as PageHandle | undefined);
  const app = facts ? facts.sheets.app : sent.app;
  useEffect(() => prefetchSheets(Object.values(sent).flatMap((sheet) => (sheet && sheet.inline !== null ? sheet.href : []))), []);
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
 * A sheet that is missing in the document, after a client navigation or an error. `precedence` makes React wait for the file.
 */
export function LateSheet({ name }: { name: AddedSheet }) {
  if (useContext(DocumentContext) || sent[name]) return null;
  return <link rel="stylesheet" href={ADDED_HREFS[name]} precedence={name} />;
}

/**
 * Requests the sheets of likely next pages once this one has loaded: only the script of a page says which it needs, so it would wait
 * for them. Users who save data have pages without scripts.
 */
export function useSheetsLater(names: readonly AddedSheet[]): void {
  useEffect(() => prefetchSheets(names.filter((name) => !sent[name]).map((name) => ADDED_HREFS[name])), [names]);
}

/** Each in a task of its own: a link starts its request as it is added, which takes a phone 10 ms. */
function prefetchSheets(hrefs: readonly string[]): void {
  for (const href of hrefs)
    setTimeout(() => document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href })));
}

/**
 * A sheet, and for the next page its file in the browser's cache. With scripts the file is requested after hydration (`Styles`), so that it does not
 * compete with them.
 */
function SheetTag({ name, sheet }: { name: SheetName; sheet: Sheet }) {
  const id = `css-${name}`;
  const lite = useLite();
  const prefetch = <link rel="prefetch" href={sheet.href} />;
  if (sheet.inline === null) return <link id={id} rel="stylesheet" href={sheet.href} />;
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build's CSS */}
      <style id={id} data-href={sheet.href} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet.inline }} />
      {lite ? prefetch : <noscript>{prefetch}</noscript>}
    </>
  );
}

/** True when this page is sent without scripts: by the route's handle or the user's choice. */
export function useLite(): boolean {
  const forced = useContext(DocumentContext)?.lite ?? false;
  return useMatches().some((match) => (match.handle as PageHandle | undefined)?.lite) || forced;
}
