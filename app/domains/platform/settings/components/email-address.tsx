import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** `email`: the confirmed address; `pending`: one whose link was sent. */
type Props = { email: string | null; pending: string | null };

/** The patient's email address in the settings, with the way to add or change it. */
export const EmailAddress = ({ email, pending }: Props) => (
  <section className="card mt-7" aria-labelledby="h-email">
    <h2 id="h-email">{m.email_title()}</h2>
    {email && <p>{m.email_in_use({ email })}</p>}
    {pending && <p className="mt-2">{m.email_pending({ email: pending })}</p>}
    {!email && !pending && <p className="text-ink-soft">{m.email_text()}</p>}
    <LinkButton to={href("/patient/settings/email")} variant="second" full className="mt-2">
      {email || pending ? m.email_change() : m.email_add()}
    </LinkButton>
  </section>
);
