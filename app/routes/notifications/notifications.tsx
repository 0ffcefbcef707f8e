import { href, useNavigation, useSubmit } from "react-router";
import { z } from "zod";
import { groupByDay } from "#app/domains/platform/notifications/by-day.ts";
import type { NotificationLook, NotificationParams } from "#app/domains/platform/notifications/kinds.ts";
import {
  deleteNotification,
  readAllNotifications,
  readNotification,
  restoreNotification,
} from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { countUnread, listNotifications, PAGE } from "#app/domains/platform/notifications/queries.server.ts";
import { agoWord, wordsOf } from "#app/domains/platform/notifications/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Skeleton } from "#app/ui/members/skeleton.tsx";
import { Leafy } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import { useLate } from "#app/ui/use-late.ts";
import type { Route } from "./+types/notifications.ts";

/** URLs of the page by role, and the targets of entries without their own (spec 000 §2). */
const PLACES = {
  patient: { here: href("/patient/notifications"), home: href("/patient-dashboard"), otherwise: href("/patient/calendar") },
  doctor: { here: href("/doctor/notifications"), home: href("/doctor-dashboard"), otherwise: href("/doctor/appointments") },
};
const placeOf = (role: string) => (role === "doctor" ? PLACES.doctor : PLACES.patient);

// `url` instead of `request.url`, which ends in `.data` for client navigations.
export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => {
  const place = placeOf(ctx.actor.role);
  if (url.pathname !== place.here) throw redirectTo(place.here);
  const before = url.searchParams.get("before");
  // The entry that was just deleted or restored: it keeps its place, and the focus.
  const at = url.searchParams.get("at");
  const [{ rows, next }, unread] = await Promise.all([
    listNotifications(ctx, before, { limit: PAGE, offset: 0, undo: at }),
    countUnread(ctx),
  ]);
  return {
    ...place,
    next,
    unread: unread > 0,
    first: before === null,
    days: groupByDay(rows, ctx.now).map((day) => ({
      ...day,
      rows: day.rows.map(({ kind, params, createdAt, ...row }) => ({
        ...row,
        ...wordsOf(kind, params),
        appointment: appointmentPath(ctx.actor.role, params),
        ago: agoWord(createdAt, ctx.now),
        at: createdAt.toISOString(),
        focused: row.id === at,
      })),
    })),
  };
});

/** Returns the page of the appointment that a notification is about; null for none. */
function appointmentPath(role: string, { appointment: id }: NotificationParams): string | null {
  if (!id) return null;
  return role === "doctor" ? href("/doctor/patient/:id", { id }) : href("/patient/appointments/:id", { id });
}

const Intent = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("open"), id: z.string() }),
  z.object({ intent: z.literal("delete"), id: z.string() }),
  z.object({ intent: z.literal("restore"), id: z.string() }),
  z.object({ intent: z.literal("read-all") }),
]);

export async function action({ context, request, url }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const place = placeOf(ctx.actor.role);
  /** Returns to the same page of the list, at this entry. Without a fragment: with one, browsers ignore autofocus. */
  const backTo = (id: string) => {
    const before = url.searchParams.get("before");
    return redirectTo(`${place.here}?${new URLSearchParams({ ...(before && { before }), at: id })}`);
  };
  return submitForm(request, Intent, async (input) => {
    switch (input.intent) {
      case "open":
        return redirectTo(safePath(await readNotification(ctx, input.id), place.otherwise));
      case "delete":
        await deleteNotification(ctx, input.id);
        return backTo(input.id);
      case "restore":
        await restoreNotification(ctx, input.id);
        return backTo(input.id);
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
  const { days, next, first, unread, home, here } = loaderData;
  const [form] = useNadiForm({ id: "notifications", lastResult: actionData?.result });
  const { state, location, formMethod } = useNavigation();
  // While loading another page of the list, not while marking or deleting.
  const loading = useLate(state === "loading" && location.pathname === here && !formMethod);
  return (
    <Page title={m.ui_notifications()} back={{ to: home }}>
      {unread && (
        <Form form={form} className="flex justify-end mb-3">
          <SubmitButton name="intent" value="read-all" variant="quiet" size="sm" className="pr-0">
            {m.notifications_mark_all()}
          </SubmitButton>
        </Form>
      )}
      {loading ? (
        <Skeleton label={m.notifications_loading()} lines={6} />
      ) : days.length === 0 ? (
        <EmptyState drawing="no-notifications" title={m.notifications_none()}>
          {m.notifications_none_text()}
        </EmptyState>
      ) : (
        days.map(({ day, word, rows }) => (
          <section key={day} aria-labelledby={`d-${day}`} className="mt-4">
            <h2 id={`d-${day}`}>{word}</h2>
            <ul>{rows.map((row) => (row.deleted ? <Deleted key={row.id} row={row} /> : <Entry key={row.id} row={row} />))}</ul>
          </section>
        ))
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

type Row = Route.ComponentProps["loaderData"]["days"][number]["rows"][number];

const ITEM = "relative flex flex-wrap gap-3.5 border-b border-line py-3.5";
/** Above the link of the whole entry. */
const BUTTON = "relative z-1 min-w-target-min px-0";

function Entry({ row }: { row: Row }) {
  const [form] = useNadiForm({ id: `f-${row.id}` });
  // Many have the same title, so the buttons refer to the message.
  const messageId = `message-${row.id}`;
  return (
    <li className={`group ${ITEM}`} data-entry={row.read ? "read" : "new"}>
      <Leafy icon={ICONS[row.type]} />
      <div className="grow">
        <Form form={form} preventScrollReset>
          <input type="hidden" name="id" value={row.id} />
          <Title row={row} messageId={messageId} />
          <p id={messageId} className={classes("text-sm", row.read && "text-ink-soft")}>
            {row.message}
          </p>
          <Actions row={row} messageId={messageId} />
        </Form>
      </div>
    </li>
  );
}

const Title = ({ row, messageId }: EntryProps) => (
  <h3
    className={
      row.read
        ? "font-medium"
        : "after:ml-2 after:inline-block after:size-3 after:rounded-full after:border-2 after:border-ink after:bg-haldi"
    }
  >
    <button
      type="submit"
      name="intent"
      value="open"
      className="cursor-pointer text-left group-hover:underline after:absolute after:inset-0"
      aria-describedby={messageId}
      // biome-ignore lint/a11y/noAutofocus: continues at the entry that was restored
      autoFocus={row.focused}
    >
      {row.title}
      {!row.read && <span className="sr-only"> {m.notifications_new()}</span>}
    </button>
  </h3>
);

function Actions({ row, messageId }: EntryProps) {
  const submit = useSubmit();
  return (
    <p className="row flex-wrap gap-y-0 text-sm text-ink-soft">
      <time className="basis-full" dateTime={row.at}>
        {row.ago}
      </time>
      {row.appointment && (
        <LinkButton
          to={row.appointment}
          variant="quiet"
          size="sm"
          className={BUTTON}
          aria-describedby={messageId}
          onClick={() => {
            if (!row.read) void submit({ intent: "open", id: row.id }, { method: "post", navigate: false });
          }}
        >
          {m.notifications_view_appointment()}
        </LinkButton>
      )}
      <Button
        type="submit"
        name="intent"
        value="delete"
        variant="quiet"
        size="sm"
        className={BUTTON}
        aria-label={m.notifications_delete_of({ title: row.title })}
        aria-describedby={messageId}
      >
        {m.notifications_delete()}
      </Button>
    </p>
  );
}

type EntryProps = { row: Row; messageId: string };

/** In place of an entry that was just deleted: the way back. */
function Deleted({ row }: { row: Row }) {
  const [form] = useNadiForm({ id: `f-${row.id}` });
  const messageId = `message-${row.id}`;
  return (
    <li className={ITEM}>
      <Form form={form} className="row flex-wrap grow" preventScrollReset>
        <input type="hidden" name="id" value={row.id} />
        <p id={messageId} className="grow">
          {m.notifications_deleted()} <span className="text-sm text-ink-soft">{row.title}</span>
        </p>
        <Button type="submit" name="intent" value="restore" variant="second" size="sm" aria-describedby={messageId} autoFocus>
          {m.notifications_undo()}
        </Button>
      </Form>
    </li>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_notifications() }) }];
