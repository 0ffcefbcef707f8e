import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** How many others wait, and the way to the next of them; nothing when none does. `cases`: where the cases are. */
export function NextCase({ next, cases }: { next: { id: string; total: number } | null; cases: string }) {
  if (!next) return null;
  return (
    <p className="row wrap next-case">
      <span className="soft small">{m.reviewer_others_wait({ count: String(next.total) })}</span>
      <LinkButton to={`${cases}/${next.id}`} variant="second" size="sm" iconEnd="chevron-right">
        {m.reviewer_next_case()}
      </LinkButton>
    </p>
  );
}
