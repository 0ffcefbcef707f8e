import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import type { IconName } from "#app/ui/icon.tsx";
import { Card, GoLink, Leafy, Note } from "#app/ui/pieces.tsx";

/** Phone, WhatsApp (the same number) and email of the support as links. */
export function ContactCards({ support }: { support: { phone: string | null; email: string | null; demo: boolean } }) {
  const { phone, email, demo } = support;
  if (!phone && !email) return <Note tone="warn">{m.help_contact_none()}</Note>;
  return (
    <>
      <ul className="grid grid-cols-1 gap-3">
        {phone && <Contact to={`tel:${phone}`} icon="phone" name={m.help_phone()} value={formatPhone(phone)} hint={m.help_phone_hint()} />}
        {phone && (
          <Contact
            to={`https://wa.me/${phone.slice(1)}`}
            icon="message-circle"
            name={m.help_whatsapp()}
            value={formatPhone(phone)}
            hint={m.help_whatsapp_hint()}
          />
        )}
        {email && <Contact to={`mailto:${email}`} icon="mail" name={m.help_email()} value={email} hint={m.help_email_hint()} />}
      </ul>
      {demo && <p className="text-sm text-ink-soft mt-2">{m.help_contact_demo()}</p>}
    </>
  );
}

function Contact({ to, icon, name, value, hint }: { to: string; icon: IconName; name: string; value: string; hint: string }) {
  return (
    <Card as="li">
      <div className="row">
        <Leafy icon={icon} />
        <div className="grow">
          <h3>
            <GoLink to={to}>{name}</GoLink>
          </h3>
          <p>{value}</p>
          <p className="text-sm text-ink-soft">{hint}</p>
        </div>
      </div>
    </Card>
  );
}
