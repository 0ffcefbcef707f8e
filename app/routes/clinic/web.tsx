import { href } from "react-router";
import { MOST_ORIGINS } from "#app/domains/places/web-page/origins.ts";
import { WebPageSchema } from "#app/domains/places/web-page/web-page.schema.ts";
import { chooseShortName, getWebPage, setEmbedOrigins } from "#app/domains/places/web-page/web-page.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { escaped } from "#app/lib/escaped.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { ErrorSummary, type Field, Form, type NadiForm, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/web.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const page = await getWebPage(ctx, params.id);
  return { ...page, site: env().appUrl.origin };
});

export const action = submitOwn(WebPageSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/clinic/:id/web", { id: params.id });
  if (input.intent === "name") await chooseShortName(ctx, { hospitalId: params.id, slug: input.slug });
  else await setEmbedOrigins(ctx, { hospitalId: params.id, origins: input.origins });
  return redirectWithToast(here, input.intent === "name" ? m.door_slug_saved() : m.door_origins_saved());
});

export default function WebPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { name, slug, origins, site } = loaderData;
  const page = href("/h/:slug", { slug });
  const poster = href("/h/:slug/poster", { slug });
  const frame = href("/embed/:slug", { slug });
  const snippet = `<iframe src="${site}${frame}" title="${escaped(m.door_frame_title({ place: name }))}" style="width:100%;height:32rem;border:0"></iframe>
<p><a href="${site}${page}">${escaped(m.door_snippet_link({ place: name }))}</a></p>`;
  /** The answer to one of the two forms. */
  const answerTo = (intent: string) => (actionData?.result.initialValue?.intent === intent ? actionData.result : null);
  const [form, fields] = useNadiForm<{ slug: string }>({ id: "name", defaultValue: { slug }, lastResult: answerTo("name") });
  const [list, { origins: field }] = useNadiForm<{ origins: string }>({
    id: "origins",
    defaultValue: { origins: origins.join("\n") },
    lastResult: answerTo("origins"),
  });
  return (
    <Page title={m.door_page()} back={{ to: href("/clinic/:id", { id: params.id }), label: name }}>
      <ErrorSummary form={form} />
      <ErrorSummary form={list} />
      <section className="card mt-7" aria-labelledby="h-page">
        <h2 id="h-page">{m.door_address()}</h2>
        <p className="mt-2">{m.door_address_text()}</p>
        <p className="mt-2 alone">
          <AnyLink className="wrap-anywhere" to={page}>
            {site + page}
          </AnyLink>
        </p>
        <CopyButton text={site + page} done={m.door_copied()}>
          {m.door_copy_address()}
        </CopyButton>
        <NameForm form={form} field={fields.slug} />
      </section>
      <Poster poster={poster} />
      <section className="card mt-7" aria-labelledby="h-frame">
        <h2 id="h-frame">{m.door_frame()}</h2>
        <p className="mt-2">{m.door_frame_text()}</p>
        <Form form={list} className="mt-2">
          <input type="hidden" name="intent" value="origins" />
          <TextArea
            field={field}
            label={m.door_origins()}
            hint={m.door_origins_hint({ max: MOST_ORIGINS })}
            optional
            autoCapitalize="none"
            spellCheck={false}
            maxLength={2000}
          />
          <SubmitButton variant="second" full>
            {m.door_origins_save()}
          </SubmitButton>
        </Form>
        <Snippet snippet={snippet} frame={frame} />
      </section>
    </Page>
  );
}

const NameForm = ({ form, field }: { form: NadiForm; field: Field }) => (
  <Form form={form} className="mt-2">
    <input type="hidden" name="intent" value="name" />
    <TextField
      field={field}
      label={m.door_slug()}
      hint={m.door_slug_hint()}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      maxLength={60}
    />
    <SubmitButton variant="second" full>
      {m.door_slug_save()}
    </SubmitButton>
  </Form>
);

const Poster = ({ poster }: { poster: string }) => (
  <section className="card mt-7" aria-labelledby="h-poster">
    <h2 id="h-poster">{m.door_poster()}</h2>
    <p className="mt-2">{m.door_poster_about()}</p>
    <p className="row flex-wrap mt-2">
      <LinkButton to={`${poster}?size=a4`} variant="second" className="grow" icon="file-text" target="_blank">
        {m.door_poster_open({ size: "A4" })}
      </LinkButton>
      <LinkButton to={`${poster}?size=a5`} variant="second" className="grow" icon="file-text" target="_blank">
        {m.door_poster_open({ size: "A5" })}
      </LinkButton>
    </p>
  </section>
);

const Snippet = ({ snippet, frame }: { snippet: string; frame: string }) => (
  <>
    <h3 className="mt-7">{m.door_snippet()}</h3>
    <p className="mt-2">{m.door_snippet_text()}</p>
    <p className="mt-2 whitespace-pre-line wrap-anywhere">
      <code>{snippet}</code>
    </p>
    <CopyButton text={snippet} done={m.door_copied()}>
      {m.door_copy_snippet()}
    </CopyButton>
    <p className="mt-2 alone">
      <AnyLink to={frame} target="_blank">
        {m.door_frame_open()}
      </AnyLink>
    </p>
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.door_page() }) }];
