import { AnyLink } from "./button.tsx";
import { classes } from "./class-names.ts";
import { useOptimistic } from "./nav.tsx";
import { Count } from "./pieces.tsx";

export type Tab = { to: string; label: string; count?: number; current: boolean };

/** Tabs as links (`?tab=completed`). */
export function Tabs({ label, tabs: given }: { label: string; tabs: Tab[] }) {
  const tabs = useOptimistic(given);
  return (
    <nav className="flex gap-1 overflow-x-auto border-b border-line" data-tabs aria-label={label}>
      {tabs.map((tab) => (
        <AnyLink
          key={tab.to}
          to={tab.to}
          className={classes(
            "inline-flex min-h-target items-center gap-2 border-b-4 px-3.5 whitespace-nowrap no-underline max-[30rem]:flex-1 max-[30rem]:justify-center max-[30rem]:px-1",
            // Many tabs on a phone: the current one is in view from the start, in Chrome.
            tab.current
              ? "border-brand font-bold text-brand-strong [scroll-initial-target:nearest]"
              : "border-transparent font-medium text-ink-soft forced-colors:border-[Canvas]",
          )}
          aria-current={tab.current ? "page" : undefined}
          preventScrollReset
        >
          {tab.label} {tab.count !== undefined && <Count className={tab.current ? undefined : "max-[30rem]:hidden"}>{tab.count}</Count>}
        </AnyLink>
      ))}
    </nav>
  );
}
