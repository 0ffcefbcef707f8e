import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { announcementRecipients, announcements, hospitals } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import type { Banner } from "./announcement.schema.ts";
import { countAudience } from "./audience.server.ts";

const PAGE = 20;
const columns = {
  id: announcements.id,
  audience: announcements.audience,
  hospitalId: announcements.hospitalId,
  hospitalName: hospitals.name,
  texts: announcements.texts,
  language: announcements.language,
  endsAt: announcements.endsAt,
  state: announcements.state,
  createdAt: announcements.createdAt,
  by: nameOf("announcements.created_by"),
  sentAt: announcements.sentAt,
  delivered: announcements.delivered,
  withdrawnAt: announcements.withdrawnAt,
};

/** Returns a page of announcements, newest first. @throws DomainError("forbidden") */
export async function listAnnouncements(ctx: Ctx<Actor>, { page }: { page: number }) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  const rows = await ctx.db
    .select({ ...columns, total: sql<number>`(count(*) over ())::int` })
    .from(announcements)
    .leftJoin(hospitals, eq(hospitals.id, announcements.hospitalId))
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  return { rows: rows.slice(0, PAGE), total: rows[0]?.total ?? 0, hasMore: rows.length > PAGE };
}

/** Returns one announcement. `recipients`: who would get a draft now. @throws DomainError("not-found" | "forbidden") */
export async function getAnnouncement(ctx: Ctx<Actor>, id: string | undefined) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select(columns)
    .from(announcements)
    .leftJoin(hospitals, eq(hospitals.id, announcements.hospitalId))
    .where(eq(announcements.id, id));
  if (!row) throw new DomainError("not-found");
  return { ...row, recipients: row.state === "draft" ? await countAudience(ctx, row) : row.delivered };
}

/** Returns the place of a new announcement. @throws DomainError("not-found") */
export async function getAnnouncedPlace(ctx: Ctx<Actor>, id: string): Promise<{ id: string; name: string }> {
  const [row] = isUuid(id)
    ? await ctx.db.select({ id: hospitals.id, name: hospitals.name }).from(hospitals).where(eq(hospitals.id, id))
    : [];
  if (!row) throw new DomainError("not-found");
  return row;
}

/** Returns the newest announcement that the actor has not dismissed, in their language where it has one; null for none. */
export async function findBanner(ctx: Ctx<Actor>): Promise<Banner | null> {
  const query = hot(ctx.db, "find_banner", (db) =>
    db
      .select({ id: announcements.id, texts: announcements.texts, language: announcements.language })
      .from(announcementRecipients)
      .innerJoin(announcements, eq(announcements.id, announcementRecipients.announcementId))
      .where(
        and(
          eq(announcementRecipients.userId, sql.placeholder("user")),
          isNull(announcementRecipients.dismissedAt),
          inArray(announcements.state, ["sending", "sent"]),
          sql`${announcements.endsAt} > ${sql.placeholder("now")}::timestamptz`,
        ),
      )
      .orderBy(desc(announcements.sentAt))
      .limit(1)
      .prepare("find_banner"),
  );
  const [row] = await query.execute({ user: ctx.actor.userId, now: ctx.now.toISOString() });
  if (!row) return null;
  const shown = row.texts[language()] ? language() : row.language;
  const text = row.texts[shown];
  return text ? { id: row.id, ...text, language: shown } : null;
}

/** Hides the banner for the actor. Idempotent. @throws DomainError("not-found") for an announcement that they did not receive */
export async function dismissAnnouncement(ctx: Ctx<Actor>, id: string): Promise<void> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [own] = await ctx.db
    .update(announcementRecipients)
    .set({ dismissedAt: sql`coalesce(${announcementRecipients.dismissedAt}, ${ctx.now.toISOString()}::timestamptz)` })
    .where(and(eq(announcementRecipients.announcementId, id), eq(announcementRecipients.userId, ctx.actor.userId)))
    .returning({ id: announcementRecipients.announcementId });
  if (!own) throw new DomainError("not-found");
}
