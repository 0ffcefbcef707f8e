import { formatDate, formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** The user's own consent. `withdraw` says how it is withdrawn. */
export function OwnConsent({ consent, withdraw }: { consent: { notice: string; at: Date } | null; withdraw: string }) {
  return (
    <section className="card mt-7" aria-labelledby="h-consent">
      <h2 id="h-consent">{m.consent_own()}</h2>
      <p className="text-ink-soft">
        {consent ? m.consent_own_given({ date: formatInstant(consent.at), version: formatDate(consent.notice) }) : m.consent_own_none()}
      </p>
      <p className="text-ink-soft">{withdraw}</p>
    </section>
  );
}
