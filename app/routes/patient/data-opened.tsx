import { href } from "react-router";
import { openingTimes, openingWords } from "#app/domains/privacy/own-data/openings.ts";
import { listOpenings } from "#app/domains/privacy/own-data/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/data-opened.ts";

export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => {
  const asked = Number(url.searchParams.get("before"));
  const before = Number.isSafeInteger(asked) && asked > 0 ? asked : null;
  return { ...(await listOpenings(ctx, before)), first: before === null };
});

export default function Opened({ loaderData }: Route.ComponentProps) {
  const { rows, next, first } = loaderData;
  return (
    <Page title={m.data_opened()} back={{ to: href("/patient/data"), label: m.data_back() }}>
      <p className="text-ink-soft mb-3">{m.data_opened_intro()}</p>
      {rows.length === 0 ? (
        <EmptyState drawing="records" title={m.data_opened_none()}>
          {m.data_opened_none_text()}
        </EmptyState>
      ) : (
        <ul className="space-y-4">
          {rows.map((opening) => (
            <Card as="li" key={opening.id}>
              <p>{openingWords(opening)}</p>
              <p className="text-sm text-ink-soft">{openingTimes(opening)}</p>
            </Card>
          ))}
        </ul>
      )}
      {(next !== null || !first) && (
        <Pagination
          label={m.ui_pages()}
          previous={first ? null : { to: href("/patient/data/opened"), label: m.data_opened_newest() }}
          next={next === null ? null : { to: `${href("/patient/data/opened")}?before=${next}`, label: m.data_opened_more() }}
        />
      )}
      <p className="mt-7 text-sm text-ink-soft">{m.data_opened_list()}</p>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.data_opened() }) }];
