/** A list of staff pages: lines of a table on wide screens, a card for each line on narrow ones. */
import type { ComponentProps, ReactNode } from "react";
import { AnyLink } from "../button.tsx";
import { classes } from "../class-names.ts";

export const Lines = ({ head, children }: { head: ReactNode; children: ReactNode }) => (
  <table className="w-full border-collapse text-sm leading-tight max-desktop:block desktop:border desktop:border-line desktop:bg-card">
    <thead className="text-ink-soft max-desktop:hidden">
      <tr>{head}</tr>
    </thead>
    {children}
  </table>
);

export const LinesHead = ({ className, ...rest }: ComponentProps<"th">) => (
  <th {...rest} className={classes("px-1.5 py-2 text-left font-medium leading-normal max-desktop:block", className)} />
);

export const LinesBody = (props: ComponentProps<"tbody">) => <tbody {...props} className="max-desktop:block" />;

/** `chosen`: it is open beside the list. */
export const Line = ({ chosen, ...rest }: { chosen?: boolean } & ComponentProps<"tr">) => (
  <tr
    {...rest}
    className={classes(
      "max-desktop:mt-3 max-desktop:flex max-desktop:flex-wrap max-desktop:items-center max-desktop:gap-x-3 max-desktop:gap-y-1.5",
      "max-desktop:rounded-lg max-desktop:border max-desktop:border-line max-desktop:bg-card max-desktop:px-4 max-desktop:py-3",
      chosen && "desktop:bg-brand-soft",
    )}
  />
);

/** `first`: before the others in a card. `fills`: takes the space that the others leave. `wraps`: on wide screens too. */
export const LineCell = ({
  first,
  fills,
  wraps,
  className,
  ...rest
}: { first?: boolean; fills?: boolean; wraps?: boolean } & ComponentProps<"td">) => (
  <td
    {...rest}
    className={classes(
      "max-desktop:block max-desktop:p-px max-desktop:empty:hidden desktop:h-12 desktop:border-b desktop:border-line desktop:px-1.5 desktop:py-px",
      !first && "max-desktop:order-1",
      fills ? "max-desktop:w-full desktop:w-[99%] desktop:max-w-0" : !wraps && "desktop:whitespace-nowrap",
      className,
    )}
  />
);

/** The link of a line, marked for the keys of the agenda. A long name takes a second line: cut names of two patients can look the same. */
export const LineLink = ({ to, name, current, children }: { to: string; name: string; current?: boolean; children: ReactNode }) => (
  <AnyLink
    className="group flex min-h-target-min flex-col justify-center text-inherit no-underline"
    data-line
    to={to}
    aria-current={current ? "true" : undefined}
    preventScrollReset={current !== undefined}
  >
    <b className="text-base group-hover:underline desktop:overflow-hidden desktop:text-ellipsis">{name}</b>{" "}
    <span className="text-ink-soft leading-normal desktop:truncate">{children}</span>
  </AnyLink>
);
