/** Navigation in a page: chips and steps. */
import { useNavigation } from "react-router";
import { AnyLink } from "./button.tsx";
import { classes } from "./class-names.ts";
import { Beat } from "./logo.tsx";

/** Marks the link that was pressed as the current one until its page arrives or the navigation fails. */
export function useOptimistic<Item extends { to: string; current: boolean }>(items: Item[]): Item[] {
  const { location: next } = useNavigation();
  const pressed = next && items.find(({ to }) => to === next.pathname + next.search);
  return pressed ? items.map((item) => ({ ...item, current: item === pressed })) : items;
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
      <span className="flex-none text-sm text-ink-soft" aria-hidden="true">
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
