import { ThreadBadge } from "#app/domains/platform/support/components/thread-badge.tsx";
import { listOwnThreads } from "#app/domains/platform/support/queries.server.ts";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, GoLink, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/list.ts";
import { askerCtxOf } from "./asker.server.ts";
import { supportPaths } from "./support-paths.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = askerCtxOf(context);
  const { page } = listState(request);
  const list = await listOwnThreads(ctx, page);
  toLastPage(request, page, list.total);
  return { page, ...list, ...supportPaths(ctx.actor.role) };
});

/** A user's questions to support. */
export default function SupportList({ loaderData: { rows, page, hasMore, total, base, back } }: Route.ComponentProps) {
  const write = `${base}/write`;
  return (
    <Page title={m.support_title()} back={{ to: back }}>
      {rows.length ? (
        <>
          <LinkButton to={write} icon="pencil" full>
            {m.support_new()}
          </LinkButton>
          <ul className="space-y-4 mt-4">
            {rows.map((thread) => (
              <Card as="li" key={thread.id}>
                <h2>
                  <GoLink to={`${base}/${thread.id}`}>{topicWord(thread.topic)}</GoLink>
                </h2>
                <MetaLine className="mt-2">
                  <ThreadBadge state={thread.state} /> <span>{formatInstant(thread.lastMessageAt)}</span>
                </MetaLine>
                <p className="text-sm text-ink-soft mt-2">{m.support_about({ reference: thread.reference })}</p>
              </Card>
            ))}
          </ul>
          <Pages page={page} hasMore={hasMore} to={(n) => listAddress(base, { page: n })} of={{ rows: rows.length, total }} />
        </>
      ) : (
        <EmptyState title={m.support_none_title()} action={<LinkButton to={write}>{m.support_place()}</LinkButton>}>
          {m.support_none_text()}
        </EmptyState>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_title() }) }];
