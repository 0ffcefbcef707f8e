import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Card } from "#app/ui/pieces.tsx";
import type { ShownShare } from "../share.ts";

/** The links to records, each with the button that ends it. Nothing without links. `intent`: of the page's form. */
export function ShareList({ shares, intent = "end" }: { shares: ShownShare[]; intent?: string }) {
  if (!shares.length) return null;
  return (
    <section className="mt-7" aria-labelledby="h-links">
      <h2 id="h-links" className="mb-3">
        {m.shares_links()}
      </h2>
      <ul className="space-y-4">
        {shares.map((share) => (
          <Link key={share.id} share={share} intent={intent} />
        ))}
      </ul>
    </section>
  );
}

function Link({ share, intent }: { share: ShownShare; intent: string }) {
  const { id, title, opened, most, lastOpenedAt, expiresAt, isLive } = share;
  const [form] = useNadiForm({ id: `link-${id}` });
  return (
    <Card as="li">
      <h3>{title}</h3>
      <p>{isLive ? m.shares_until({ at: formatInstant(expiresAt) }) : m.shares_ended()}</p>
      <p className="text-sm text-ink-soft">
        {lastOpenedAt === null
          ? m.sharing_opened_none()
          : m.shares_opened({ count: String(opened), most: String(most), at: formatInstant(lastOpenedAt) })}
      </p>
      {isLive && (
        <Form form={form} className="mt-2">
          <input type="hidden" name="id" value={id} />
          <SubmitButton name="intent" value={intent} variant="danger" aria-label={m.shares_end_of({ title })}>
            {m.shares_end()}
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}
