import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Leads to the page of the notifications that this browser shows. */
export const PushSetting = ({ to }: { to: string }) => (
  <section className="card mt-7" aria-labelledby="h-push">
    <h2 id="h-push">{m.push_title()}</h2>
    <p className="text-ink-soft mb-3">{m.push_setting()}</p>
    <LinkButton to={to} variant="second" full icon="bell">
      {m.push_setting_open()}
    </LinkButton>
  </section>
);
