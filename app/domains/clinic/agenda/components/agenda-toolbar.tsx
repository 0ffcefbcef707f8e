import type { ReactNode } from "react";
import { Form } from "react-router";
import { addDays, formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Chips } from "#app/ui/nav.tsx";
import type { AgendaFilter, AgendaShow } from "../agenda.ts";
import { showWord } from "../words.ts";

/** Values of an agenda's URL. Absent: the default. */
export type AgendaChange = { show?: AgendaShow; day?: string; seen?: string; q?: string; open?: string; page?: number };

const CHIPS = ["all", "requests", "today", "week"] as const satisfies readonly AgendaShow[];

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
  const step = (by: number) => ({ to: address({ day: addDays(day, by) }), label: formatDay(addDays(day, by)) });
  const [before, after] = [step(-1), step(1)];
  return (
    <div className="toolbar">
      <Chips
        label={m.agenda_which()}
        chips={CHIPS.map((show) => ({
          to: address({ show }),
          label: m.agenda_chip({ name: showWord(show), count: totals[show] }),
          current: !filter.day && filter.show === show,
        }))}
      />
      <Form className="row" action={path} key={`day-${day}`}>
        {hidden}
        <IconButton icon="chevron-left" {...before} />
        <label>
          <span className="sr-only">{m.agenda_day()}</span>
          <input className="input" type="date" name="day" defaultValue={day} required />
        </label>
        <Button type="submit" variant="second" size="sm">
          {m.agenda_do_show()}
          <span className="sr-only"> {m.agenda_day()}</span>
        </Button>
        <IconButton icon="chevron-right" {...after} />
      </Form>
      {main && <p className="main">{main}</p>}
      {choices}
      <search>
        <Form className="row" action={path} key={`q-${filter.search}`}>
          {hidden}
          <label className="search grow">
            <span className="sr-only">{m.appointments_search()}</span>
            <Icon name="search" />
            <input
              className="input"
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
      <p className="row wrap">{children}</p>
    </div>
  );
}
