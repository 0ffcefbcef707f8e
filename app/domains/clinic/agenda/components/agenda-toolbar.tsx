import type { ReactNode } from "react";
import { Form } from "react-router";
import { addDays, formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Toolbar, ToolbarChips, ToolbarField, ToolbarForm, toolbarInput } from "#app/ui/staff/toolbar.tsx";
import type { AgendaFilter, AgendaShow } from "../agenda.ts";
import { showWord } from "../words.ts";

/** Values of an agenda's URL. Absent: the default. */
export type AgendaChange = { show?: AgendaShow; day?: string; seen?: string; q?: string; open?: string; page?: number };

const CHIPS = ["today", "requests", "due", "week", "all"] as const satisfies readonly AgendaShow[];

type ToolbarProps = {
  filter: AgendaFilter;
  totals: Record<AgendaShow, number>;
  today: string;
  path: string;
  /** Fields that the forms send with theirs, for example the view. */
  fixed: Record<string, string>;
  address: (change: AgendaChange) => string;
  /** A form of further filters. */
  choices?: ReactNode;
  /** The main action, at the end of the first row on wide screens. */
  main?: ReactNode;
  /** Links to other views. */
  children: ReactNode;
};

/** Filters, the day and the search of an agenda: links and GET forms. */
export function AgendaToolbar({ filter, totals, today, path, fixed, address, choices, main, children }: ToolbarProps) {
  const day = filter.day ?? today;
  const hidden = Object.entries(fixed).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
  const step = (by: number) => ({
    to: address({ day: addDays(day, by), ...(filter.show === "due" && { show: "due" as const }) }),
    label: formatDay(addDays(day, by)),
  });
  const [before, after] = [step(-1), step(1)];
  return (
    <Toolbar>
      <ToolbarChips
        label={m.agenda_which()}
        chips={CHIPS.map((show) => ({
          // The list of what is due is that of a day.
          to: address({ show, ...(show === "due" && filter.day && { day: filter.day }) }),
          label: m.agenda_chip({ name: showWord(show), count: totals[show] }),
          current: filter.show === show && (!filter.day || show === "due"),
        }))}
      />
      <ToolbarForm action={path} key={`day-${day}`}>
        {hidden}
        {filter.show === "due" && <input type="hidden" name="show" value="due" />}
        <IconButton icon="chevron-left" {...before} />
        <ToolbarField label={m.agenda_day()}>
          <input className={toolbarInput} type="date" name="day" defaultValue={day} required />
        </ToolbarField>
        <Button type="submit" variant="second" size="sm">
          {m.agenda_do_show()}
          <span className="sr-only"> {m.agenda_day()}</span>
        </Button>
        <IconButton icon="chevron-right" {...after} />
      </ToolbarForm>
      {main && <p className="max-desktop:order-1 max-desktop:w-full max-desktop:*:w-full desktop:ml-auto">{main}</p>}
      {choices}
      <search className="max-w-120 flex-[1_1_18rem] max-desktop:basis-full">
        <Form className="row gap-1 max-desktop:flex-wrap" action={path} key={`q-${filter.search}`}>
          {hidden}
          <label className="search grow">
            <span className="sr-only">{m.appointments_search()}</span>
            <Icon name="search" className="top-2.5" />
            <input
              className={toolbarInput}
              type="search"
              name="q"
              defaultValue={filter.search}
              maxLength={100}
              placeholder={m.appointments_search()}
              autoComplete="off"
            />
          </label>
          <Button type="submit" variant="second" size="sm">
            {m.appointments_search_do()}
          </Button>
        </Form>
      </search>
      <p className="row flex-wrap gap-1">{children}</p>
    </Toolbar>
  );
}
