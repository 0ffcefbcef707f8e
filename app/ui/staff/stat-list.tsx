import type { ReactNode } from "react";
import { classes } from "../class-names.ts";
import { Icon, type IconName } from "../icon.tsx";

/** One number of a dashboard, inside `<StatList>`. */
export function StatTile({ icon, label, value, hint }: { icon?: IconName; label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    // Labels, numbers and hints of the tiles in a row are aligned.
    <div className="relative row-span-3 grid grid-rows-subgrid gap-y-0 rounded-lg border border-line bg-card p-4 tab:p-5">
      <dt className="flex items-start gap-2 text-sm text-ink-soft">
        {icon && <Icon name={icon} small className="max-tab:hidden" />}
        {label}
      </dt>
      <dd className="mt-1.5 text-xl leading-[1.2] font-bold tracking-[-0.01em] tabular-nums max-tab:wrap-anywhere tab:text-2xl">{value}</dd>
      {hint && <dd className="text-sm mt-0.5 text-ink-soft">{hint}</dd>}
    </div>
  );
}
export const StatList = ({ className, children }: { className?: string; children: ReactNode }) => (
  <dl
    className={classes(
      "grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.25rem),1fr))] gap-3 *:min-w-0 tab:grid-cols-[repeat(4,1fr)] tab:gap-4",
      className,
    )}
  >
    {children}
  </dl>
);
