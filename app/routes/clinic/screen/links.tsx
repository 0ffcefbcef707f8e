import { href } from "react-router";
import { z } from "zod";
import { getPlaceLinks, replacePlaceLink, setWalkInsByCode } from "#app/domains/waiting-room/place-links/place-links.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { PLACE_LINK_KINDS, type PlaceLinkKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/links.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { place, links } = await getPlaceLinks(ctx, params.id);
  const { tv, arrive } = links;
  return {
    place,
    tv: tv ? { id: tv.id, url: new URL(`/tv/${tv.key}`, env().appUrl).href } : null,
    arrive: arrive ? { id: arrive.id, allowsWalkIns: arrive.allowsWalkIns } : null,
  };
});

const LinkSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("replace"), kind: z.enum(PLACE_LINK_KINDS), from: z.uuid().optional() }),
  z.object({ intent: z.enum(["allow-walk-ins", "stop-walk-ins"]) }),
]);

export const action = submitOwn(LinkSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/clinic/:id/screen", { id: params.id });
  const hospitalId = params.id;
  if (input.intent !== "replace") {
    await setWalkInsByCode(ctx, { hospitalId, allowed: input.intent === "allow-walk-ins" });
    return redirectWithToast(here, m.tv_saved());
  }
  await replacePlaceLink(ctx, { hospitalId, kind: input.kind, from: input.from ?? null });
  return redirectWithToast(here, input.kind === "tv" ? m.tv_replaced() : m.tv_counter_replaced());
});

export default function Links({ loaderData, actionData, params }: Route.ComponentProps) {
  const { place, tv, arrive } = loaderData;
  const [form] = useNadiForm({ id: "links", lastResult: actionData?.result ?? null });
  return (
    <Page title={m.tv_page()} back={{ to: href("/clinic/:id", { id: params.id }), label: place }}>
      <ErrorSummary form={form} />
      <p className="mb-3">{m.tv_page_text()}</p>
      <section className="card mt-7" aria-labelledby="h-screen">
        <h2 id="h-screen">{m.tv_screen()}</h2>
        <p className="mt-2">{m.tv_screen_text()}</p>
        {tv && (
          <>
            <p className="mt-2 wrap-anywhere">{tv.url}</p>
            <p className="mt-2">
              <LinkButton full to={tv.url} target="_blank" rel="noreferrer">
                {m.tv_open()}
              </LinkButton>
            </p>
          </>
        )}
        <Replace kind="tv" from={tv?.id} make={m.tv_make()} replace={m.tv_replace()} text={m.tv_replace_text()} />
      </section>
      <section className="card mt-7" aria-labelledby="h-counter">
        <h2 id="h-counter">{m.tv_counter()}</h2>
        <p className="mt-2">{m.tv_counter_text()}</p>
        {arrive && (
          <>
            <LinkButton to={href("/clinic/:id/screen/poster", { id: params.id })} variant="second" icon="file-text" full className="mt-2">
              {m.tv_poster()}
            </LinkButton>
            <p className="mt-2">{arrive.allowsWalkIns ? m.tv_walk_ins_on() : m.tv_walk_ins_off()}</p>
            <Form form={form} className="mt-2">
              <SubmitButton name="intent" value={arrive.allowsWalkIns ? "stop-walk-ins" : "allow-walk-ins"} variant="quiet" full>
                {arrive.allowsWalkIns ? m.tv_walk_ins_stop() : m.tv_walk_ins_allow()}
              </SubmitButton>
            </Form>
          </>
        )}
        <Replace
          kind="arrive"
          from={arrive?.id}
          make={m.tv_counter_make()}
          replace={m.tv_counter_replace()}
          text={m.tv_counter_replace_text()}
        />
      </section>
    </Page>
  );
}

type ReplaceProps = { kind: PlaceLinkKind; from: string | undefined; make: string; replace: string; text: string };
/** Makes the first link, or replaces it after opening the part that says what happens. */
function Replace({ kind, from, make, replace, text }: ReplaceProps) {
  const [form] = useNadiForm({ id: `replace-${kind}` });
  const press = (
    <Form form={form} className="mt-2">
      <input type="hidden" name="intent" value="replace" />
      <input type="hidden" name="kind" value={kind} />
      {from && <input type="hidden" name="from" value={from} />}
      <SubmitButton variant={from ? "danger" : undefined} full>
        {from ? replace : make}
      </SubmitButton>
    </Form>
  );
  if (!from) return press;
  return (
    <details className="mt-4">
      <summary className="row">
        <span className="grow">{replace}</span>
        <Icon name="chevron-down" />
      </summary>
      <p className="mt-2">{text}</p>
      {press}
    </details>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.tv_page() }) }];
