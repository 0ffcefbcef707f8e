import { href } from "react-router";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { listOutbox } from "#app/integrations/outbox.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Badge, Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/outbox.ts";

/** Sent messages of demo mode: codes are read here while another page waits for them, so it needs no script. */
export const handle: PageHandle = { lite: true };

const REFRESH_SECONDS = 5;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const to = query.get("to")?.trim() ?? "";
  const messages = await listOutbox(ctxOf(context), to);
  return {
    to,
    refreshing: query.has("refresh"),
    messages: messages.map((message) => ({ ...message, to: formatPhone(message.to), sentAt: formatInstant(message.sentAt) })),
  };
});

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export default function OutboxPage({ loaderData: { to, refreshing, messages } }: Route.ComponentProps) {
  const here = (refresh: boolean) =>
    `${href("/dev/outbox")}?${new URLSearchParams({ ...(to && { to }), ...(refresh && { refresh: "1" }) })}`;
  return (
    <Page title={m.outbox_title()} className="space-y-4">
      {refreshing && <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />}
      <p className="text-ink-soft">{m.outbox_about()}</p>
      <form action={href("/dev/outbox")}>
        <label className="label" htmlFor="outbox-to">
          {m.outbox_to()}
        </label>
        <input className="input" id="outbox-to" name="to" type="text" inputMode="email" autoComplete="off" defaultValue={to} />
        <div className="row flex-wrap mt-2">
          <Button type="submit">{m.outbox_show()}</Button>
          {to && (
            <LinkButton variant="second" to={href("/dev/outbox")}>
              {m.outbox_show_all()}
            </LinkButton>
          )}
          <LinkButton variant="quiet" to={here(!refreshing)}>
            {refreshing ? m.outbox_refresh_off() : m.outbox_refresh_on()}
          </LinkButton>
        </div>
      </form>
      {messages.length === 0 ? (
        <EmptyState
          title={to ? m.outbox_empty_to({ to }) : m.outbox_empty()}
          action={<LinkButton to={here(refreshing)}>{m.outbox_refresh()}</LinkButton>}
        />
      ) : (
        messages.map((message) => <Message key={message.id} {...message} />)
      )}
    </Page>
  );
}

const CHANNEL = { sms: () => m.outbox_sms(), whatsapp: () => m.phone_whatsapp(), email: () => m.outbox_email() };

function Message({ channel, to, subject, body, sentAt }: Route.ComponentProps["loaderData"]["messages"][number]) {
  return (
    <Card>
      <div className="row">
        <Badge>{CHANNEL[channel]()}</Badge> <span className="grow">{to}</span> <span className="text-ink-soft">{sentAt}</span>
      </div>
      {subject && <h2>{subject}</h2>}
      {/* Line by line, as sent: the last line of a code is part of it. */}
      {body.split("\n").map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
        <p key={i}>{line}</p>
      ))}
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.outbox_title() }) }, { name: "robots", content: "noindex" }];
