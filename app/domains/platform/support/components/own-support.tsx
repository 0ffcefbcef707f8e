import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Leads to the user's own questions to support. */
export const OwnSupport = ({ to }: { to: string }) => (
  <section className="card mt-7" aria-labelledby="h-support">
    <h2 id="h-support">{m.support_place()}</h2>
    <p className="text-ink-soft mb-3">{m.support_text()}</p>
    <LinkButton to={to} variant="second" full icon="message-circle">
      {m.support_open_list()}
    </LinkButton>
  </section>
);
