import { href } from "react-router";
import { listWebhooks } from "#app/domains/places/webhooks/deliveries.server.ts";
import { STATE_TONES, stateWord } from "#app/domains/places/webhooks/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge, GoLink } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/list.ts";

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) => listWebhooks(ctx, params.id));

export default function Webhooks({ loaderData, params }: Route.ComponentProps) {
  const { place, endpoints } = loaderData;
  return (
    <Page title={m.hooks_page()} back={{ to: href("/clinic/:id", { id: params.id }), label: place }}>
      <p className="mb-3">{m.hooks_page_text()}</p>
      {endpoints.length === 0 && <p className="text-ink-soft mb-3">{m.hooks_none()}</p>}
      {endpoints.map(({ id, url, label, state }) => (
        <div key={id} className="card mb-3">
          <h2 className="wrap-anywhere">
            <GoLink to={href("/clinic/:id/webhooks/:hookId", { id: params.id, hookId: id })}>{url}</GoLink>
          </h2>
          <p className="row flex-wrap mt-2">
            <Badge tone={STATE_TONES[state]}>{stateWord(state)}</Badge> {label && <span className="text-ink-soft">{label}</span>}
          </p>
        </div>
      ))}
      <LinkButton to={href("/clinic/:id/webhooks/add", { id: params.id })} full>
        {m.hooks_add()}
      </LinkButton>
      <LinkButton to={`${href("/docs/api")}#webhooks`} variant="quiet" full className="mt-2">
        {m.hooks_docs()}
      </LinkButton>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.hooks_page() }) }];
