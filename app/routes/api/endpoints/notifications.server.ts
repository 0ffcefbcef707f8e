import { z } from "zod";
import { readAllNotifications, readNotification } from "#app/domains/platform/notifications/mark-notifications.server.ts";
import { countUnread, listNotifications } from "#app/domains/platform/notifications/queries.server.ts";
import { wordsOf } from "#app/domains/platform/notifications/words.ts";
import { endpoint, Page } from "#app/http/api/endpoint.ts";
import { m } from "#app/paraglide/messages.js";
import { Done, done, Id, IdParam, Instant } from "./wire.ts";

const group = "Notifications";
const who = ["patient", "doctor"] as const;
const sentences = { failed: () => m.api_notifications_failed() };

export const countNotifications = endpoint({
  method: "GET",
  path: "/api/notifications/unread-count",
  group,
  summary: "Returns the number of unread notifications.",
  about: "The number stops at 99.",
  who,
  verified: true,
  answer: z.object({ success: z.literal(true), count: z.number() }),
  sentences,
  run: async ({ ctx }) => ({ success: true as const, count: await countUnread(ctx) }),
});

export const listOwnNotifications = endpoint({
  method: "GET",
  path: "/api/notifications/my",
  group,
  summary: "Lists the notifications of the caller, newest first.",
  about: "`targetPath` is the page of the website that the notification leads to.",
  who,
  verified: true,
  answer: z.array(
    z.object({
      _id: Id,
      id: Id,
      type: z.enum(["success", "warning", "danger", "info"]),
      title: z.string(),
      message: z.string(),
      createdAt: Instant,
      read: z.boolean(),
      targetPath: z.string().nullable(),
    }),
  ),
  list: { bound: 100, max: 100 },
  sentences,
  async run({ ctx, paging }) {
    const { rows, next } = await listNotifications(ctx, null, paging);
    return new Page(
      rows.map(({ id, type, kind, params, createdAt, read, targetPath }) => ({
        _id: id,
        id,
        type,
        ...wordsOf(kind, params),
        createdAt: createdAt.toISOString(),
        read,
        targetPath,
      })),
      next !== null,
    );
  },
});

export const readEveryNotification = endpoint({
  method: "PUT",
  path: "/api/notifications/read-all",
  group,
  summary: "Marks all notifications of the caller as read.",
  about: "A repeated call changes nothing.",
  who,
  verified: true,
  answer: Done,
  sentences: { failed: () => m.api_notifications_all_failed() },
  async run({ ctx }) {
    await readAllNotifications(ctx);
    return done(m.notifications_all_read());
  },
});

export const readOneNotification = endpoint({
  method: "PUT",
  path: "/api/notifications/{id}/read",
  group,
  summary: "Marks one notification of the caller as read.",
  about: "Returns the page of the website that the notification leads to.",
  who,
  verified: true,
  params: IdParam,
  answer: Done.extend({ targetPath: z.string().nullable() }),
  sentences,
  async run({ ctx, params }) {
    const targetPath = await readNotification(ctx, params.id);
    return { ...done(m.api_notification_read()), targetPath };
  },
});
