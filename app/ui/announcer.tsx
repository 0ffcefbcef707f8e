/**
 * Focus and announcements after a client navigation, as a browser does with a new document: focus moves to the start of the
 * new page, or back to the link that was used. Announces a new title on the same page.
 */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/** The live region around toasts. It must exist before its first message. */
export function Announcer({ children }: { children: ReactNode }) {
  const { key, pathname, hash } = useLocation();
  const isBack = useNavigationType() === "POP";
  const [announced, announce] = useState("");
  const shown = useRef<{ key: string; pathname: string; title: string } | null>(null);
  /** The last link that was used on each page, by URL. */
  const used = useRef(new Map<string, string>());
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const link = target instanceof Element ? target.closest("a")?.getAttribute("href") : null;
      if (link && shown.current) used.current.set(shown.current.key, link);
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
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
    // Screen readers read the focused element. Without a focus change the new title is announced.
    if (!isOther && before.title !== document.title) announce(document.title);
  }, [key, pathname, hash, isBack]);
  return (
    <div aria-live="polite">
      {announced && <p className="sr-only">{announced}</p>}
      {children}
    </div>
  );
}

/** Returns the element of a fragment; null for an unknown or malformed one ("#%"). */
function goalOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

const linkTo = (href: string | undefined) =>
  href === undefined ? null : ([...document.links].find((link) => link.getAttribute("href") === href) ?? null);

/** True when the page has moved the focus: to a field, its error summary or a dialog. */
const isTaken = () => document.activeElement?.matches("main :is(input, select, textarea, .summary), dialog[open] *") ?? false;

/** Returns the first link of a list, or the heading itself. */
const firstOf = (goal: HTMLElement) => (/^H\d$/.test(goal.tagName) ? goal : (goal.querySelector("a") ?? goal));

function begin(at: HTMLElement | null) {
  if (!at) return;
  if (at.tabIndex < 0) at.tabIndex = -1;
  // React Router scrolls.
  at.focus({ preventScroll: true });
}
