/** Navigation in a page: tabs, chips, steps and menus. */
import { useNavigation } from "react-router";
import { AnyLink } from "./button.tsx";
import { classes } from "./class-names.ts";
import { dialogOpener } from "./dialog.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Beat } from "./logo.tsx";

export type Tab = { to: string; label: string; count?: number; current: boolean };

/** Marks the link that was pressed as the current one until its page arrives or the navigation fails. */
function useOptimistic<Item extends { to: string; current: boolean }>(items: Item[]): Item[] {
  const { location: next } = useNavigation();
  const pressed = next && items.find(({ to }) => to === next.pathname + next.search);
  return pressed ? items.map((item) => ({ ...item, current: item === pressed })) : items;
}

/** Tabs as links (`?tab=completed`). */
export function Tabs({ label, tabs: given }: { label: string; tabs: Tab[] }) {
  const tabs = useOptimistic(given);
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <AnyLink key={tab.to} to={tab.to} aria-current={tab.current ? "page" : undefined} preventScrollReset>
          {tab.label} {tab.count !== undefined && <span className="count">{tab.count}</span>}
        </AnyLink>
      ))}
    </nav>
  );
}

/** Choices as links in a scrolling row. */
export function Chips({ label, chips: given }: { label: string; chips: { to: string; label: string; current: boolean }[] }) {
  const chips = useOptimistic(given);
  return (
    <nav className="chips" aria-label={label}>
      {chips.map((chip) => (
        <AnyLink key={chip.to} to={chip.to} className="chip" aria-current={chip.current ? "true" : undefined} preventScrollReset>
          {chip.label}
        </AnyLink>
      ))}
    </nav>
  );
}

/** How a list is sorted: chips behind a visible name. */
export function SortChips({ label, chips }: Parameters<typeof Chips>[0]) {
  return (
    <div className="mb-4 flex items-center gap-3">
      <span className="flex-none soft small" aria-hidden="true">
        {label}
      </span>
      <div className="min-w-0">
        <Chips label={label} chips={chips} />
      </div>
    </div>
  );
}

/** The steps of a wizard; `current` counts from 0. */
export function Steps({ label, steps, current }: { label: string; steps: string[]; current: number }) {
  return (
    <ol className="flex flex-wrap text-center text-sm text-ink-soft max-[17.5rem]:block" aria-label={label}>
      {steps.map((step, i) => (
        <li
          key={step}
          className={classes("min-w-min flex-[1_1_4.75rem] px-1", i === current && "font-bold text-brand-strong")}
          aria-current={i === current ? "step" : undefined}
        >
          <span className={classes("-mx-1 flex h-[25px] items-center", i <= current ? "text-brand" : "text-line")}>
            <i className="h-[3px] flex-1 bg-current" />
            {i === current && (
              <>
                <Beat short />
                <i className="h-[3px] flex-1 bg-current" />
              </>
            )}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}

/** A list of links with icons. `dialog`: opens this dialog instead, with JavaScript. `busy`: text while loading. */
export function Menu({
  label,
  items,
}: {
  label: string;
  items: { to: string; label: string; icon: IconName; dialog?: string; busy?: string | false }[];
}) {
  return (
    <nav className="section rounded-lg border border-line bg-card" aria-label={label}>
      {items.map((item) => (
        <AnyLink
          key={item.to}
          className="flex min-h-14 items-center gap-3.5 px-4 py-2 font-medium text-ink no-underline not-first:border-t not-first:border-line hover:bg-well"
          to={item.to}
          {...(item.dialog ? { id: dialogOpener(item.dialog), "data-dialog": item.dialog } : {})}
        >
          <Icon name={item.icon} className="text-brand" />
          <span className="grow">{item.label}</span>
          {item.busy && (
            <span className="small soft" role="status">
              {item.busy}
            </span>
          )}
          <Icon name="chevron-right" small />
        </AnyLink>
      ))}
    </nav>
  );
}
