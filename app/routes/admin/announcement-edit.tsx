import { href } from "react-router";
import { AnnouncementSchema } from "#app/domains/oversight/announcements/announcement.schema.ts";
import { canAnnounce } from "#app/domains/oversight/announcements/announcement.state.ts";
import { getAnnouncement } from "#app/domains/oversight/announcements/queries.server.ts";
import { saveAnnouncement } from "#app/domains/oversight/announcements/save-announcement.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/announcement-edit.ts";
import { type AnnouncementFields, AnnouncementForm } from "./announcement-form.tsx";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, state, audience, hospitalId, hospitalName, texts, endsAt } = await getAnnouncement(ctx, params.id);
  // The end is the midnight after the last day.
  const values: AnnouncementFields = { audience, ends: addDays(todayInIndia(endsAt), -1) };
  for (const one of LANGUAGES) {
    values[`title_${one}`] = texts[one]?.title ?? "";
    values[`message_${one}`] = texts[one]?.message ?? "";
  }
  return { id, editable: canAnnounce("edit", state), place: hospitalId ? { id: hospitalId, name: hospitalName ?? "" } : null, values };
});

export const action = submitOwn(AnnouncementSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  await saveAnnouncement(ctx, input, params.id);
  return redirectTo(href("/admin/announcements/:id", { id: params.id }));
});

export default function AnnouncementEdit({ loaderData: { id, editable, place, values }, actionData }: Route.ComponentProps) {
  return (
    <Page title={m.announce_edit()} back={{ to: href("/admin/announcements/:id", { id }), label: m.announce_back_one() }}>
      {editable ? (
        <AnnouncementForm place={place} values={values} result={actionData?.result} />
      ) : (
        <Note tone="warn">{m.announce_changed()}</Note>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.announce_edit() }) }];
