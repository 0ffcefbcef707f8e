import { href } from "react-router";
import { z } from "zod";
import { canAnnounce } from "#app/domains/oversight/announcements/announcement.state.ts";
import { AnnouncementBadge } from "#app/domains/oversight/announcements/components/announcement-badge.tsx";
import { AnnouncementText } from "#app/domains/oversight/announcements/components/announcement-text.tsx";
import { getAnnouncement } from "#app/domains/oversight/announcements/queries.server.ts";
import { sendAnnouncement, withdrawAnnouncement } from "#app/domains/oversight/announcements/save-announcement.server.ts";
import { audienceWord } from "#app/domains/oversight/announcements/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { addDays, formatDate, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/announcement.ts";

const IntentSchema = z.object({ intent: z.enum(["send", "withdraw"]) });

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => getAnnouncement(ctx, params.id));

export const action = submitOwn(IntentSchema, async (ctx, { intent }, { params }: Route.ActionArgs) => {
  const here = href("/admin/announcements/:id", { id: params.id });
  if (intent === "send") return redirectWithToast(here, m.announce_sent({ count: await sendAnnouncement(ctx, params.id) }));
  await withdrawAnnouncement(ctx, params.id);
  return redirectWithToast(here, m.announce_withdrawn());
});

/** A draft as its readers will see it, with the button that sends it; or a sent one with its progress. */
export default function Announcement({ loaderData: it, actionData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "announcement", lastResult: actionData?.result });
  const draft = canAnnounce("send", it.state);
  return (
    <Page
      title={draft ? m.announce_preview_title() : m.announce_one()}
      back={{ to: href("/admin/announcements"), label: m.announce_back() }}
    >
      <section className="card" aria-label={m.announce_one()}>
        <Facts
          items={[
            [m.cases_col_status(), <AnnouncementBadge key="s" state={it.state} />],
            [m.announce_audience(), audienceWord(it.audience, it.hospitalName)],
            [draft ? m.announce_recipients() : m.announce_delivered(), String(it.recipients)],
            [m.announce_ends(), formatDate(addDays(todayInIndia(it.endsAt), -1))],
            [m.announce_by(), it.by],
            [m.announce_sent_at(), it.sentAt && formatInstant(it.sentAt)],
            [m.announce_withdrawn_at(), it.withdrawnAt && formatInstant(it.withdrawnAt)],
          ]}
        />
      </section>
      {LANGUAGES.map((one) => {
        const text = it.texts[one];
        return (
          text && (
            <section key={one} className="mt-4" aria-labelledby={`h-${one}`}>
              <h2 id={`h-${one}`} className="mb-3" lang={one}>
                {LANGUAGE_NAMES[one]}
              </h2>
              <Note icon="bell">
                <AnnouncementText {...text} language={one} />
              </Note>
            </section>
          )
        );
      })}
      <Form form={form} className="mt-4">
        {draft && (
          <>
            <p className="text-sm text-ink-soft mb-3">{m.announce_send_text()}</p>
            <SubmitButton name="intent" value="send" full disabled={!it.recipients} pendingText={m.announce_sending()}>
              {m.announce_send({ count: it.recipients })}
            </SubmitButton>
            <LinkButton to={href("/admin/announcements/:id/edit", { id: it.id })} variant="second" full className="mt-2">
              {m.announce_edit()}
            </LinkButton>
          </>
        )}
        {canAnnounce("withdraw", it.state) && (
          <SubmitButton name="intent" value="withdraw" variant={draft ? "quiet" : "danger"} full className="mt-2">
            {draft ? m.announce_discard() : m.announce_withdraw()}
          </SubmitButton>
        )}
        {!draft && canAnnounce("withdraw", it.state) && <p className="text-sm text-ink-soft mt-2">{m.announce_withdraw_text()}</p>}
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.announce_one() }) }];
