import { href } from "react-router";
import { z } from "zod";
import { endFeed, getFeedKey, replaceFeedKey } from "#app/domains/booking/calendar-feed/feed-address.server.ts";
import { areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/calendar-feed.ts";

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  const key = await getFeedKey(ctx);
  return { url: key && `${env().appUrl.origin}/calendar/${key}.ics`, area: areaIn(context, "patient", "doctor") };
});

const FeedSchema = z.object({ intent: z.enum(["replace", "end"]) });

export const action = submitOwn(FeedSchema, async (ctx, { intent }, { context }: Route.ActionArgs) => {
  const here = areaIn(context, "patient", "doctor") === "doctor" ? href("/doctor/settings/calendar") : href("/patient/settings/calendar");
  await (intent === "end" ? endFeed : replaceFeedKey)(ctx);
  return redirectWithToast(here, intent === "end" ? m.feed_ended() : m.feed_made());
});

/** The private calendar address of a patient or doctor: create, copy, replace, switch off. */
export default function CalendarFeed({ loaderData: { url, area } }: Route.ComponentProps) {
  const doctor = area === "doctor";
  const [form] = useNadiForm({ id: "feed" });
  const back = doctor ? href("/doctor/settings") : href("/patient/settings");
  return (
    <Page title={m.feed_title()} back={{ to: back, label: m.settings_title() }}>
      <p className="mb-3">{doctor ? m.feed_text_doctor() : m.feed_text()}</p>
      {url && (
        <section className="card mt-7" aria-labelledby="h-address">
          <h2 id="h-address">{m.feed_address()}</h2>
          <p className="mt-2">
            <code className="whitespace-pre-line">{url}</code>
          </p>
          <CopyButton text={url} done={m.feed_copied()}>
            {m.feed_copy()}
          </CopyButton>
          <p className="mt-2">
            <LinkButton full to={url.replace(/^https?:/, "webcal:")}>
              {m.feed_open()}
            </LinkButton>
          </p>
        </section>
      )}
      <Note tone="info" icon="info" className="mt-7">
        <p>{m.feed_rarely()}</p>
      </Note>
      <Note tone="warn" icon="lock" className="mt-2">
        <p>{m.feed_secret()}</p>
      </Note>
      <Form form={form} className="mt-7 space-y-4">
        <SubmitButton name="intent" value="replace" variant={url ? "second" : undefined} full>
          {url ? m.feed_replace() : m.feed_make()}
        </SubmitButton>
        {url && (
          <>
            <p className="text-sm text-ink-soft">{m.feed_replace_text()}</p>
            <SubmitButton name="intent" value="end" variant="danger" full>
              {m.feed_end()}
            </SubmitButton>
          </>
        )}
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.feed_title() }) }];
