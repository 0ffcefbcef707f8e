import { href } from "react-router";
import { getWebhook, resendWebhooks, sendTestWebhook } from "#app/domains/places/webhooks/deliveries.server.ts";
import { pauseWebhook } from "#app/domains/places/webhooks/manage-webhooks.server.ts";
import { WebhookPageSchema } from "#app/domains/places/webhooks/webhooks.schema.ts";
import { DELIVERY_TONES, deliveryWord, errorWord, STATE_TONES, stateWord } from "#app/domains/places/webhooks/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/endpoint.ts";

const which = (params: Route.LoaderArgs["params"]) => ({ hospitalId: params.id, id: params.hookId });

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) => getWebhook(ctx, which(params)));

export const action = submitOwn(WebhookPageSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/clinic/:id/webhooks/:hookId", params);
  if (input.intent === "resend" || input.intent === "resend-failed") {
    const count = await resendWebhooks(ctx, which(params), input.intent === "resend" ? input.delivery : "failed");
    return redirectWithToast(here, m.hooks_resent({ count }));
  }
  if (input.intent === "test") {
    await sendTestWebhook(ctx, which(params));
    return redirectWithToast(here, m.hooks_test_sent());
  }
  await pauseWebhook(ctx, which(params), input.intent === "pause");
  return redirectWithToast(here, input.intent === "pause" ? m.hooks_paused() : m.hooks_resumed());
});

type Data = Route.ComponentProps["loaderData"];

export default function Webhook({ loaderData, actionData, params }: Route.ComponentProps) {
  const { endpoint, deliveries, waiting, failed } = loaderData;
  const { url, label, state } = endpoint;
  const [form] = useNadiForm({ id: "webhook", lastResult: actionData?.result ?? null });
  const [again] = useNadiForm({ id: "again" });
  return (
    <Page title={url} back={{ to: href("/clinic/:id/webhooks", { id: params.id }), label: m.hooks_page() }}>
      <p className="row flex-wrap mb-3">
        <Badge tone={STATE_TONES[state]}>{stateWord(state)}</Badge> {label && <span className="text-ink-soft">{label}</span>}
      </p>
      <ErrorSummary form={form} />
      <StateNotes endpoint={endpoint} />
      <Form form={form} className="space-y-4">
        {state === "active" ? (
          <>
            <SubmitButton name="intent" value="test" full>
              {m.hooks_test()}
            </SubmitButton>
            <SubmitButton name="intent" value="pause" variant="second" full>
              {m.hooks_pause()}
            </SubmitButton>
          </>
        ) : (
          <SubmitButton name="intent" value="resume" full>
            {m.hooks_resume()}
          </SubmitButton>
        )}
        <LinkButton to={href("/clinic/:id/webhooks/:hookId/secret", params)} variant="second" full>
          {m.hooks_secret_show()}
        </LinkButton>
        <LinkButton to={href("/clinic/:id/webhooks/:hookId/edit", params)} variant="second" full>
          {m.hooks_edit()}
        </LinkButton>
        <LinkButton to={href("/clinic/:id/webhooks/:hookId/remove", params)} variant="danger" full>
          {m.hooks_remove()}
        </LinkButton>
      </Form>
      <section className="mt-7" aria-labelledby="h-messages">
        <h2 id="h-messages">{m.hooks_messages()}</h2>
        <p className="text-ink-soft mt-2 mb-3">{deliveries.length ? m.hooks_counts({ waiting, failed }) : m.hooks_messages_none()}</p>
        {failed > 0 && (
          <Form form={again} className="mb-3">
            <SubmitButton name="intent" value="resend-failed" variant="second" full>
              {m.hooks_resend_failed()}
            </SubmitButton>
          </Form>
        )}
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} {...delivery} />
        ))}
      </section>
    </Page>
  );
}

const StateNotes = ({ endpoint: { state, failingSince } }: Pick<Data, "endpoint">) => (
  <>
    {state === "active" && failingSince && (
      <Note tone="warn" className="mb-3">
        {m.hooks_failing({ when: formatInstant(failingSince) })}
      </Note>
    )}
    {state !== "active" && (
      <Note tone={state === "disabled" ? "bad" : "warn"} className="mb-3">
        {state === "disabled" ? m.hooks_disabled_text() : m.hooks_paused_text()}
      </Note>
    )}
  </>
);

type DeliveryProps = Route.ComponentProps["loaderData"]["deliveries"][number];
/** One message with its last answer, and a button to send it again. */
function Delivery({ id, kind, state, attempts, nextAt, status, error, createdAt }: DeliveryProps) {
  const [form] = useNadiForm({ id: `again-${id}` });
  const name = kind ?? m.hooks_test_event();
  return (
    <div className="card mb-3">
      <p className="row flex-wrap">
        <strong className="grow">{name}</strong> <Badge tone={DELIVERY_TONES[state]}>{deliveryWord(state)}</Badge>
      </p>
      <p className="text-sm text-ink-soft mt-2">
        {formatInstant(createdAt)}
        {attempts > 1 && ` · ${m.hooks_attempts({ count: attempts })}`}
      </p>
      {error && <p className="text-sm mt-2">{errorWord(error, status)}</p>}
      {state === "waiting" && attempts > 0 && nextAt && <p className="text-sm mt-2">{m.hooks_next({ when: formatInstant(nextAt) })}</p>}
      <Form form={form} className="mt-2">
        <input type="hidden" name="delivery" value={id} />
        <SubmitButton
          name="intent"
          value="resend"
          variant="quiet"
          size="sm"
          className="pl-0"
          aria-label={m.hooks_resend_of({ kind: name })}
        >
          {m.hooks_resend()}
        </SubmitButton>
      </Form>
    </div>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: m.ui_title({ page: loaderData?.endpoint.url ?? m.hooks_page() }) }];
