/**
 * What a browser does by itself with a new document, after a navigation without one: the keyboard and the screen reader go
 * on from where the new page begins, and back where they left it; what changed on the same page is said.
 */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/** Around what is told in passing (toasts): it must be in the page before the first word is. */
export function Announcer({ children }: { children: ReactNode }) {
  const { key, pathname, hash } = useLocation();
  const isBack = useNavigationType() === "POP";
  const [said, say] = useState("");
  const shown = useRef<{ key: string; pathname: string; title: string } | null>(null);
  /** The last link that was used on each page of this visit, by its address. */
  const used = useRef(new Map<string, string>());
  useEffect(() => {
    const keep = ({ target }: FocusEvent) => {
      const link = target instanceof Element ? target.closest("a")?.getAttribute("href") : null;
      if (link && shown.current) used.current.set(shown.current.key, link);
    };
    document.addEventListener("focusin", keep);
    return () => document.removeEventListener("focusin", keep);
  }, []);
  useEffect(() => {
    const before = shown.current;
    shown.current = { key, pathname, title: document.title };
    if (!before || before.key === key) return;
    const isOther = before.pathname !== pathname;
    const isLost = !document.activeElement || document.activeElement === document.body;
    const goal = goalOf(hash);
    if (goal && !isBack) begin(firstOf(goal));
    else if ((isOther || isLost) && !isTaken()) {
      const link = used.current.get(isBack ? key : before.key);
      begin((isBack || !isOther ? linkTo(link) : null) ?? document.querySelector("h1"));
    }
    // What is begun with is read; a page that only shows something else says what, by its title.
    if (!isOther && before.title !== document.title) say(document.title);
  }, [key, pathname, hash, isBack]);
  return (
    <div aria-live="polite">
      {said && <p className="vh">{said}</p>}
      {children}
    </div>
  );
}

/** What `#…` of the address names; nothing for one that names nothing, or cannot be read ("#%"). */
function goalOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

const linkTo = (href: string | undefined) =>
  href === undefined ? null : ([...document.links].find((link) => link.getAttribute("href") === href) ?? null);

/** The page has chosen for itself: a field, its error summary, a dialog. */
const isTaken = () => document.activeElement?.matches("main :is(input, select, textarea, .summary), dialog[open] *") ?? false;

/** A list that begins at an address is begun with its first link; a heading, with itself. */
const firstOf = (goal: HTMLElement) => (/^H\d$/.test(goal.tagName) ? goal : (goal.querySelector("a") ?? goal));

function begin(at: HTMLElement | null) {
  if (!at) return;
  if (at.tabIndex < 0) at.tabIndex = -1;
  // Where the page is scrolled to is decided by others.
  at.focus({ preventScroll: true });
}
