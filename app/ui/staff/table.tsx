/** Tables of staff pages. Cells stay plain elements: a list has hundreds of them, so their look is on the table. */
import type { ComponentProps, ReactNode } from "react";
import { AnyLink } from "../button.tsx";
import { classes } from "../class-names.ts";

type ScrollProps = { label: string; className?: string | undefined; children: ReactNode };

/** A horizontal scroll area for wide content, focusable by keyboard. */
export const Scroll = ({ label, className, children }: ScrollProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
  <div className={classes("overflow-x-auto print:overflow-visible", className)} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

const TABLE = classes(
  "w-full border-collapse text-left tabular-nums",
  "[&_th]:text-(length:--text-sm) [&_th]:font-medium [&_th]:text-ink-soft",
  "[&_:is(th,td)]:border-b [&_:is(th,td)]:border-line [&_:is(th,td)]:px-3 [&_:is(th,td)]:py-2.5 [&_:is(th,td)]:align-top",
  "print:[&_tr]:break-inside-avoid print:[&_:is(th,td)]:px-2! print:[&_:is(th,td)]:py-1!",
);

/** A table of values. A column of numbers has `text-right`. */
export const DataTable = ({ className, ...rest }: ComponentProps<"table">) => <table {...rest} className={classes(TABLE, className)} />;

const ROWS = classes(
  TABLE,
  "[&_tr]:relative [&_tbody_tr:hover]:bg-well [&_time]:whitespace-nowrap",
  // What else can be pressed lies over the link of the row.
  "[&_td_a:not(.go)]:relative [&_td_a:not(.go)]:z-1 [&_.btn]:relative [&_.btn]:z-1",
  "desktop:rounded-lg desktop:border desktop:border-separate desktop:border-spacing-0 desktop:border-line desktop:bg-card",
  // Links and buttons are taller than text.
  "desktop:[&_th]:pt-3 desktop:[&_td]:py-3 desktop:[&_td]:align-baseline desktop:[&_.btn]:whitespace-nowrap",
  "desktop:[&_tbody_tr:last-child_:is(th,td)]:border-b-0",
  "cards:block cards:[&_thead]:hidden cards:[&_:is(caption,tbody,tr)]:block",
  "cards:[&_tr]:rounded-lg cards:[&_tr]:border cards:[&_tr]:border-line cards:[&_tr]:bg-card cards:[&_tr]:px-4 cards:[&_tr]:py-3.5",
  "cards:[&_tr+tr]:mt-3",
  "cards:[&_:is(th,td)]:block cards:[&_:is(th,td)]:border-0 cards:[&_:is(th,td)]:px-0 cards:[&_:is(th,td)]:py-0.5",
  "cards:[&_th]:text-base cards:[&_th]:font-bold cards:[&_th]:text-ink",
  "cards:[&_td:empty]:hidden cards:[&_td>.btn]:mt-2",
  "cards:[&_td[data-label]]:before:text-ink-soft cards:[&_td[data-label]]:before:content-[attr(data-label)_':_']",
);

/** The name of a column: of text, of numbers, or read aloud only. */
export type Head = string | { number: string } | { hidden: string } | false | undefined;

/**
 * A list: a table on wide screens and on paper, otherwise the same rows as cards. There a cell shows its `data-label` as its name.
 * `label`: the table may be wider than its page, and scrolls by keyboard too. `caption`: its name for screen readers.
 */
export function RowsTable({
  label,
  caption,
  heads,
  className,
  children,
}: Omit<ScrollProps, "label"> & { label?: string; caption?: string; heads: readonly Head[] }) {
  const table = (
    <table className={ROWS}>
      {caption && <caption className="sr-only">{caption}</caption>}
      <thead>
        <tr>
          {heads.map(
            (head) =>
              head && (
                <th
                  key={JSON.stringify(head)}
                  scope="col"
                  className={typeof head === "object" && "number" in head ? "text-right" : undefined}
                >
                  {typeof head === "string" ? head : "number" in head ? head.number : <span className="sr-only">{head.hidden}</span>}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  const area = classes("max-desktop:overflow-visible", className);
  if (label === undefined) return <div className={classes("overflow-x-auto print:overflow-visible", area)}>{table}</div>;
  return (
    <Scroll label={label} className={area}>
      {table}
    </Scroll>
  );
}

/** The link of a row: the target is the whole row. */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <AnyLink
    className="go font-bold text-inherit no-underline after:absolute after:inset-0 cards:after:rounded-lg [tr:hover_&]:underline"
    to={to}
  >
    {children}
  </AnyLink>
);

/** A number of a row, under a head with `text-right`. */
export const NumberCell = ({ label, children }: { label: string; children: ReactNode }) => (
  <td data-label={label} className="num text-right cards:text-left">
    {children}
  </td>
);
