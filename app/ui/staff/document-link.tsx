import type { ReactNode } from "react";
import { AnyLink } from "../button.tsx";
import { classes } from "../class-names.ts";
import { Icon, type IconName } from "../icon.tsx";

/** A sheet of paper with a folded corner, beside what it is. */
export function DocumentLink({ to, icon, children }: { to?: string; icon: IconName; children: ReactNode }) {
  const look = classes(
    "grid h-38 w-30 flex-none place-items-center content-center gap-1 rounded-sm rounded-tr-[1.25rem] border border-line-strong p-2",
    "bg-[linear-gradient(225deg,var(--color-line)_0.9rem,var(--color-card)_0.95rem)] text-center text-xs text-ink-soft no-underline",
    "max-tab:h-18 max-tab:w-full max-tab:grid-flow-col max-tab:gap-3 max-tab:text-sm",
  );
  const inside = (
    <>
      <Icon name={icon} className="size-8" />
      {children}
    </>
  );
  if (!to) return <p className={look}>{inside}</p>;
  return (
    <AnyLink className={look} to={to}>
      {inside}
    </AnyLink>
  );
}

/** The rows of documents: the paper beside its facts, above them on a phone. */
export const documentList = "divide-y divide-line *:py-5 *:last:pb-0";
export const documentRow = "flex gap-4 *:max-w-full *:min-w-0 max-tab:flex-col";
