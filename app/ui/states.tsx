/** Empty, loading and confirmation states. */

import type { CSSProperties, ReactNode } from "react";
import { facePath } from "#app/lib/faces.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { type Drawing, Illustration } from "./illustration.tsx";
import { Leafy } from "./pieces.tsx";
import { useSpokenTime } from "./use-spoken-time.ts";

/** Drawings of empty states in `public/faces`. They load after the text, and dark mode is in the files. */
export const EMPTY_DRAWINGS = [
  "no-appointments",
  "no-notifications",
  "nothing-found",
  "no-doctors",
  "no-reviews",
  "no-favourites",
  "no-family",
  "finished-today",
] as const;
type EmptyDrawing = (typeof EMPTY_DRAWINGS)[number];
const isFile = (drawing: Drawing | EmptyDrawing): drawing is EmptyDrawing => (EMPTY_DRAWINGS as readonly string[]).includes(drawing);

/** An empty state with its meaning and next step. `action`: a `<LinkButton>`. */
export function EmptyState({
  drawing,
  title,
  children,
  action,
}: {
  drawing?: Drawing | EmptyDrawing;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="card px-2 py-6 text-center">
      {drawing &&
        (isFile(drawing) ? (
          <img
            className="mx-auto mb-6 h-auto w-full max-w-48"
            src={facePath(drawing)}
            alt=""
            width={240}
            height={160}
            loading="lazy"
            decoding="async"
          />
        ) : (
          <Illustration name={drawing} className="mb-4 max-w-48" />
        ))}
      <h2 className="text-base">{title}</h2>
      {children && <p className="mx-auto mt-1 mb-4 max-w-[30ch] text-ink-soft">{children}</p>}
      {action}
    </div>
  );
}

/** A confirmation page: facts, then an outlined red "Yes" (a `<SubmitButton variant="danger">` in its form) and a quiet "No". */
export function ConfirmCard({
  icon,
  title,
  text,
  children,
  actions,
}: {
  icon?: IconName;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
  actions: ReactNode;
}) {
  return (
    <section className="card mx-auto max-w-lg space-y-4">
      {icon && <Leafy icon={icon} />}
      <div className="space-y-1">
        <h1>{title}</h1>
        {text && <p className="text-ink-soft">{text}</p>}
      </div>
      {children}
      <div className="foot mt-0">{actions}</div>
    </section>
  );
}

/**
 * A countdown without JavaScript. `<Seconds left={…}/>` inside shows the time left; elements with `animate-after` become available at its
 * end. A new `key` restarts it. With scripts, screen readers say each whole minute, the last 30 and 10 seconds, and `over` at the end.
 */
export function Countdown({
  left,
  over = "",
  className,
  children,
  ...rest
}: {
  left: number;
  over?: string;
  className?: string;
  id?: string;
  children: ReactNode;
}) {
  const seconds = Math.max(0, Math.ceil(left));
  const spoken = useSpokenTime(seconds, over);
  return (
    <div {...rest} className={className} style={{ "--left": seconds } as CSSProperties}>
      {children}
      <span className="sr-only" role="status">
        {spoken}
      </span>
    </div>
  );
}
/** The number is in the HTML too, for browsers without CSS animations. Screen readers read the one that goes on. */
export const Seconds = ({ left }: { left: number }) => (
  <span className="num animate-secs [counter-reset:t_var(--t)] after:content-[counter(t)]">
    <i aria-hidden="true" className="absolute [clip-path:inset(50%)]">
      {Math.max(0, Math.ceil(left))}
    </i>
  </span>
);

/** "Load more" as a link to a longer list (`?show=8`). `preserveScroll`: preserves the scroll position. */
export function LoadMore({
  to,
  label,
  caption,
  preserveScroll,
}: {
  to: string | null;
  label: string;
  caption?: string;
  preserveScroll?: boolean;
}) {
  return (
    <div className="mt-4 text-center">
      {to && (
        <LinkButton variant="second" to={to} {...(preserveScroll ? { preventScrollReset: true, replace: true } : {})}>
          {label}
        </LinkButton>
      )}
      {caption && <p className="text-sm text-ink-soft mt-2">{caption}</p>}
    </div>
  );
}

/** Links to the previous and next page of a list. */
export function Pagination({
  label,
  previous,
  next,
  caption,
}: {
  label: string;
  previous?: { to: string; label: string } | null;
  next?: { to: string; label: string } | null;
  caption?: string;
}) {
  return (
    <nav className="row mt-4 flex-wrap text-center" aria-label={label}>
      {previous && (
        <LinkButton variant="second" size="sm" to={previous.to} rel="prev">
          <Icon name="chevron-left" small /> {previous.label}
        </LinkButton>
      )}
      <span className="grow basis-0 text-sm text-ink-soft">{caption}</span>
      {next && (
        <LinkButton variant="second" size="sm" to={next.to} rel="next">
          {next.label} <Icon name="chevron-right" small />
        </LinkButton>
      )}
    </nav>
  );
}

/** Pagination of a list with the page number in its URL. `to(page)`: the URL of a page. */
export function Pages({
  page,
  hasMore,
  to,
  of,
  label = m.ui_pages(),
  previous = m.ui_previous(),
  next = m.ui_next(),
}: {
  page: number;
  hasMore: boolean;
  to: (page: number) => string;
  /** Rows of this page and of the whole list: shows "1–20 of 600", or "1–20 of 10,000+" for more than `most`. */
  of?: { rows: number; total: number; most?: number };
  label?: string;
  previous?: string;
  next?: string;
}) {
  const from = (page - 1) * PAGE_SIZE;
  const shown = of && of.rows > 0 && (
    <p className="text-sm text-ink-soft num mt-2" role="status">
      {m.ui_rows_of({ from: formatCount(from + 1), to: formatCount(from + of.rows), total: formatCount(of.total, of.most) })}
    </p>
  );
  if (page === 1 && !hasMore) return shown;
  const pages = (
    <Pagination
      label={label}
      previous={page > 1 ? { to: to(page - 1), label: previous } : null}
      next={hasMore ? { to: to(page + 1), label: next } : null}
    />
  );
  return (
    <>
      {shown}
      {pages}
    </>
  );
}

const PAGE_SIZE = 20;
