import { href } from "react-router";
import { AnnouncementSchema } from "#app/domains/oversight/announcements/announcement.schema.ts";
import { getAnnouncedPlace } from "#app/domains/oversight/announcements/queries.server.ts";
import { saveAnnouncement } from "#app/domains/oversight/announcements/save-announcement.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/announcement-new.ts";
import { AnnouncementForm } from "./announcement-form.tsx";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const hospital = new URL(request.url).searchParams.get("hospital");
  return { place: hospital === null ? null : await getAnnouncedPlace(ctx, hospital) };
});

export const action = submitOwn(AnnouncementSchema, async (ctx, input) =>
  redirectTo(href("/admin/announcements/:id", { id: await saveAnnouncement(ctx, input) })),
);

export default function AnnouncementNew({ loaderData: { place }, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.announce_new()} back={{ to: href("/admin/announcements"), label: m.announce_back() }}>
      <AnnouncementForm place={place} result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.announce_new() }) }];
