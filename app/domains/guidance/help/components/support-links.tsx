import { formatPhone } from "#app/lib/phone.ts";

/** Phone and email of the support as plain links, for pages without another way forward. */
export function SupportLinks({ support: { phone, email } }: { support: { phone: string | null; email: string | null } }) {
  if (!phone && !email) return null;
  return (
    <p className="row flex-wrap">
      {phone && <a href={`tel:${phone}`}>{formatPhone(phone)}</a>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </p>
  );
}
