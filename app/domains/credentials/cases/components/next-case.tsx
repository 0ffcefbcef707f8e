import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** The number of other waiting cases with a link to the next; nothing for none. `cases`: the URL of the list. */
export function NextCase({ next, cases }: { next: { id: string; total: number } | null; cases: string }) {
  if (!next) return null;
  return (
    <p className="row flex-wrap basis-full desktop:basis-auto">
      <span className="text-sm text-ink-soft">{m.cases_others_wait({ count: String(next.total) })}</span>
      <LinkButton to={`${cases}/${next.id}`} variant="second" size="sm" iconEnd="chevron-right">
        {m.cases_next_case()}
      </LinkButton>
    </p>
  );
}
