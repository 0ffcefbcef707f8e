import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Leads to the page of the private calendar address. */
export const CalendarSetting = ({ to }: { to: string }) => (
  <section className="card mt-7" aria-labelledby="h-calendar">
    <h2 id="h-calendar">{m.feed_title()}</h2>
    <p className="text-ink-soft mb-3">{m.feed_setting()}</p>
    <LinkButton to={to} variant="second" full icon="calendar-plus">
      {m.feed_setting_open()}
    </LinkButton>
  </section>
);
