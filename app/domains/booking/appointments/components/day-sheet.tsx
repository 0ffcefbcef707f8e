import type { ReactNode } from "react";
import { addDays, formatDayLong } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

type DaySheetProps = {
  date: string;
  /** The page's URL on another day. */
  on: (day: string) => string;
  back: { to: string; label: string };
  /** Whose day it is, and how many patients it has. */
  summary: string;
  children: ReactNode;
};

/** A day for printing, with links to the days around it. Only the list is on paper. */
export function DaySheet({ date, on, back, summary, children }: DaySheetProps) {
  const hydrated = useHydrated();
  return (
    <Page wide title={m.appointments_day_sheet()} titleAs="p" back={back} className="print:max-w-none print:p-0">
      <div className="row flex-wrap print:hidden mb-3">
        <LinkButton to={on(addDays(date, -1))} variant="second" size="sm" icon="chevron-left">
          {m.appointments_day_before()}
        </LinkButton>
        <LinkButton to={on(addDays(date, 1))} variant="second" size="sm" iconEnd="chevron-right">
          {m.appointments_day_after()}
        </LinkButton>
        {hydrated ? (
          <Button size="sm" icon="file-text" onClick={() => window.print()}>
            {m.appointments_day_print()}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">{m.appointments_day_print_hint()}</p>
        )}
      </div>
      <h1>{formatDayLong(date)}</h1>
      <p className="text-ink-soft">{summary}</p>
      {children}
    </Page>
  );
}

/** The title of the page, which browsers also print above the list. */
export const daySheetTitle = (date: string | undefined) => [
  {
    title: m.ui_title({ page: date ? m.appointments_day_sheet_of({ day: formatDayLong(date) }) : m.appointments_day_sheet() }),
  },
];
