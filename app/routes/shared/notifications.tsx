import { href, useNavigation } from "react-router";
import { z } from "zod";
import type { NotificationLook } from "#app/domains/platform/notifications/kinds.ts";
import {
  deleteNotification,
  readAllNotifications,
  readNotification,
} from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { countUnread, listNotifications } from "#app/domains/platform/notifications/queries.server.ts";
import { agoWord, wordsOf } from "#app/domains/platform/notifications/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Leafy } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pagination, Skeleton } from "#app/ui/states.tsx";
import { useLate } from "#app/ui/use-late.ts";
import type { Route } from "./+types/notifications.ts";

export const handle = { more: true } satisfies PageHandle;

// One page for both areas, in the frame of the user's area. Commands change the user's own notifications only.
export const middleware = [requireRole("patient", "doctor")];

/** URLs of the page by role, and the targets of entries without their own (spec 000 §2). */
const PLACES = {
  patient: { here: href("/patient/notifications"), home: href("/patient-dashboard"), otherwise: href("/patient/calendar") },
  doctor: { here: href("/doctor/notifications"), home: href("/doctor-dashboard"), otherwise: href("/doctor/appointments") },
};
const placeOf = (role: string) => (role === "doctor" ? PLACES.doctor : PLACES.patient);

// `url` instead of `request.url`, which ends in `.data` for client navigations.
export const loader = load(async ({ context, url }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const place = placeOf(ctx.actor.role);
  if (url.pathname !== place.here) throw redirectTo(place.here);
  const [{ rows, next }, unread] = await Promise.all([listNotifications(ctx, url.searchParams.get("before")), countUnread(ctx)]);
  return {
    ...place,
    next,
    unread: unread > 0,
    first: !url.searchParams.has("before"),
    rows: rows.map(({ kind, params, createdAt, ...row }) => ({
      ...row,
      ...wordsOf(kind, params),
      ago: agoWord(createdAt, ctx.now),
      at: createdAt.toISOString(),
    })),
  };
});

const Intent = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("open"), id: z.string() }),
  z.object({ intent: z.literal("delete"), id: z.string() }),
  z.object({ intent: z.literal("read-all") }),
]);

export async function action({ context, request, url }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const place = placeOf(ctx.actor.role);
  return submitForm(request, Intent, async (input) => {
    switch (input.intent) {
      case "open":
        return redirectTo(safePath(await readNotification(ctx, input.id), place.otherwise));
      case "delete":
        await deleteNotification(ctx, input.id);
        return redirectWithToast(place.here + url.search, m.notifications_deleted());
      case "read-all":
        await withUnavailableMessage(m.api_notifications_all_failed, () => readAllNotifications(ctx));
        return redirectWithToast(place.here, m.notifications_all_read());
    }
  });
}

/** Spec 000 §3: success → success style, warning → reschedule, danger → cancel, anything else → reschedule. */
const ICONS: Record<NotificationLook["type"], IconName> = {
  success: "circle-check",
  warning: "calendar-clock",
  danger: "calendar-x",
  info: "calendar-days",
};

export default function Notifications({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, next, first, unread, home, here } = loaderData;
  const [form] = useNadiForm({ id: "notifications", lastResult: actionData?.result });
  const { state, location, formMethod } = useNavigation();
  // While loading another page of the list, not while marking or deleting.
  const loading = useLate(state === "loading" && location.pathname === here && !formMethod);
  return (
    <Page title={m.ui_notifications()} back={{ to: home }}>
      {unread && (
        <Form form={form} className="end-row mb">
          <SubmitButton name="intent" value="read-all" variant="quiet" size="sm">
            {m.notifications_mark_all()}
          </SubmitButton>
        </Form>
      )}
      {loading ? (
        <Skeleton label={m.notifications_loading()} lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState drawing="no-notifications" title={m.notifications_none()}>
          {m.notifications_none_text()}
        </EmptyState>
      ) : (
        <>
          <h2 className="vh">{m.ui_notifications()}</h2>
          <ul>
            {rows.map((row) => (
              <Entry key={row.id} row={row} />
            ))}
          </ul>
        </>
      )}
      {(next || !first) && (
        <Pagination
          label={m.ui_pages()}
          previous={first ? null : { to: here, label: m.notifications_newest() }}
          next={next ? { to: `${here}?before=${encodeURIComponent(next)}`, label: m.ui_next() } : null}
        />
      )}
    </Page>
  );
}

function Entry({ row }: { row: Route.ComponentProps["loaderData"]["rows"][number] }) {
  const [form] = useNadiForm({ id: `n-${row.id}` });
  // Many have the same title, so the buttons refer to the message.
  const messageId = `message-${row.id}`;
  return (
    <li className={classes("item", row.read ? "read" : "new")}>
      <Leafy icon={ICONS[row.type]} />
      <div className="grow">
        <Form form={form}>
          <input type="hidden" name="id" value={row.id} />
          <h3>
            <button type="submit" name="intent" value="open" className="as-link" aria-describedby={messageId}>
              {row.title}
              {!row.read && <span className="vh"> {m.notifications_new()}</span>}
            </button>
          </h3>
          <p id={messageId} className={classes("small", row.read && "soft")}>
            {row.message}
          </p>
          <p className="row wrap small soft">
            <time className="grow" dateTime={row.at}>
              {row.ago}
            </time>
            <button
              type="submit"
              name="intent"
              value="delete"
              className="btn quiet sm"
              aria-label={m.notifications_delete_of({ title: row.title })}
              aria-describedby={messageId}
            >
              {m.notifications_delete()}
            </button>
          </p>
        </Form>
      </div>
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_notifications() }) }];
