import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { hot } from "#app/db/client.server.ts";
import { inLanguage } from "#app/db/in-language.server.ts";
import { appointments, doctors, patients, type Role, reviewReports, reviews, users } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { type Rating, ratingOf } from "#app/domains/directory/rating.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { authorOf } from "./author.ts";
import { EDIT_TIME, isEditable } from "./review.state.ts";
import type { PublicReview, ReviewPage } from "./review.ts";

/** Reviews on a page of the doctor: as many as fit the first view. */
const PUBLIC_PAGE = 4;
const PAGE = 20;

const shownRow = {
  id: reviews.id,
  rating: sql<number>`${reviews.rating}`,
  words: reviews.words,
  name: patients.name,
  createdAt: reviews.createdAt,
  editedAt: reviews.editedAt,
  reply: sql<string | null>`case when ${reviews.replyHiddenReason} is null then ${reviews.reply} end`,
};
type ShownRow = Pick<PublicReview, "id" | "rating" | "words" | "reply"> & { name: string | null; createdAt: Date; editedAt: Date | null };
/** Shortens the author's name for public pages. */
const publicly = ({ name, createdAt, editedAt, ...row }: ShownRow): PublicReview => ({
  ...row,
  author: authorOf(name),
  date: todayInIndia(createdAt),
  edited: editedAt !== null,
});

/**
 * Returns a page of a doctor's visible reviews: those with words first, each newest first.
 * @param input.page from 1
 * @param input.rating of the doctor, where the caller has it
 */
export async function listDoctorReviews(ctx: Ctx, input: { doctorId: string; page: number; rating?: Rating }): Promise<ReviewPage> {
  const list = hot(ctx.db, "list_doctor_reviews", (db) =>
    db
      .select({ ...shownRow, patientId: reviews.patientId })
      .from(reviews)
      .innerJoin(patients, eq(patients.id, reviews.patientId))
      .where(and(eq(reviews.doctorId, sql.placeholder("doctor")), eq(reviews.status, "shown")))
      .orderBy(sql`${reviews.words} is null`, desc(reviews.createdAt), desc(reviews.id))
      .limit(PUBLIC_PAGE + 1)
      .offset(sql.placeholder("offset"))
      .prepare("list_doctor_reviews"),
  );
  const [rows, rating] = await Promise.all([
    list.execute({ doctor: input.doctorId, offset: (input.page - 1) * PUBLIC_PAGE }),
    input.rating === undefined ? getRating(ctx, input.doctorId) : input.rating,
  ]);
  const shown = rows.slice(0, PUBLIC_PAGE).map(({ patientId, ...row }) => ({ ...publicly(row), own: patientId === ctx.actor?.userId }));
  return { rows: shown, page: input.page, hasMore: rows.length > PUBLIC_PAGE, rating };
}

async function getRating(ctx: Ctx, doctorId: string): Promise<Rating> {
  const query = hot(ctx.db, "doctor_rating", (db) =>
    db
      .select({ ratingSum: doctors.ratingSum, ratingCount: doctors.ratingCount })
      .from(doctors)
      .where(eq(doctors.id, sql.placeholder("doctor")))
      .prepare("doctor_rating"),
  );
  const [row] = await query.execute({ doctor: doctorId });
  return row ? ratingOf(row) : null;
}

/** Returns the acting patient's visit with their review. @throws DomainError("not-found") */
export async function getOwnReview(ctx: Ctx<Actor>, appointmentId: string | undefined) {
  if (!isUuid(appointmentId)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({
      appointmentId: appointments.id,
      status: appointments.status,
      date: appointments.date,
      doctorId: appointments.doctorId,
      doctorName: inLanguage(doctors.fullName, doctors.translations, "name", language()),
      isPublic: listedDoctor(doctors),
      name: patients.name,
      review: {
        id: reviews.id,
        status: reviews.status,
        rating: reviews.rating,
        words: reviews.words,
        hiddenReason: reviews.hiddenReason,
        createdAt: reviews.createdAt,
        reply: shownRow.reply,
      },
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .innerJoin(patients, eq(patients.id, appointments.patientId))
    .leftJoin(reviews, eq(reviews.appointmentId, appointments.id))
    .where(and(eq(appointments.id, appointmentId), eq(appointments.patientId, ctx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  const { name, review, ...visit } = row;
  return {
    ...visit,
    author: authorOf(name),
    review: review && {
      ...review,
      editable: isEditable(ctx.now, review),
      editableUntil: todayInIndia(new Date(review.createdAt.getTime() + EDIT_TIME)),
    },
  };
}

/**
 * Returns a visible review that the actor may report: a patient any but their own, which they may when the doctor has replied to it; a
 * doctor those about them.
 * @returns with the doctor's id and whether the actor has reported it. @throws DomainError("not-found")
 */
export async function getReportable(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const { role, userId } = ctx.actor;
  const mine = role === "doctor" ? eq(reviews.doctorId, userId) : role === "patient" ? undefined : sql`false`;
  const [row] = await ctx.db
    .select({
      ...shownRow,
      doctorId: reviews.doctorId,
      patientId: reviews.patientId,
      appointmentId: reviews.appointmentId,
      reported: reportedBy(userId),
    })
    .from(reviews)
    .innerJoin(patients, eq(patients.id, reviews.patientId))
    .where(and(eq(reviews.id, id), eq(reviews.status, "shown"), mine));
  if (!row || (row.patientId === userId && row.reply === null)) throw new DomainError("not-found");
  const { doctorId, reported, patientId: _, appointmentId: __, ...shown } = row;
  return { doctorId, reported, review: publicly(shown) };
}
const reportedBy = (userId: string) =>
  sql<boolean>`exists (select from review_reports rr where rr.review_id = reviews.id and rr.reporter_id = ${userId})`;

/** Returns a visible review of the acting doctor with their reply. @throws DomainError("not-found") */
export async function getReviewToReply(ctx: Ctx<Actor>, id: string | undefined) {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ ...shownRow, ownReply: reviews.reply, replyHiddenReason: reviews.replyHiddenReason })
    .from(reviews)
    .innerJoin(patients, eq(patients.id, reviews.patientId))
    .where(and(eq(reviews.id, id), eq(reviews.doctorId, ctx.actor.userId), eq(reviews.status, "shown")));
  if (!row) throw new DomainError("not-found");
  const { ownReply, replyHiddenReason, ...shown } = row;
  return { review: { ...publicly(shown), reply: null }, reply: ownReply, hiddenReason: replyHiddenReason };
}

/** Returns the acting doctor's visible reviews, newest first, and whether they have reported each. */
export async function listOwnReviews(ctx: Ctx<Actor>, page: number) {
  const rows = await ctx.db
    .select({ ...shownRow, reported: reportedBy(ctx.actor.userId), replyHidden: sql<boolean>`${reviews.replyHiddenReason} is not null` })
    .from(reviews)
    .innerJoin(patients, eq(patients.id, reviews.patientId))
    .where(and(eq(reviews.doctorId, ctx.actor.userId), eq(reviews.status, "shown")))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(PAGE + 1)
    .offset((page - 1) * PAGE);
  return {
    rows: rows.slice(0, PAGE).map(({ reported, replyHidden, ...row }) => ({ ...publicly(row), reported, replyHidden })),
    hasMore: rows.length > PAGE,
    rating: await getRating(ctx, ctx.actor.userId),
  };
}

const asAdmin = (ctx: Ctx<Actor>) => {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
};
const openReports = sql<number>`(select count(*)::int from review_reports rr where rr.review_id = reviews.id and rr.decided_at is null)`;
const adminRow = {
  ...shownRow,
  rating: reviews.rating,
  status: reviews.status,
  doctorId: reviews.doctorId,
  doctor: doctors.fullName,
  hiddenReason: reviews.hiddenReason,
  ownReply: reviews.reply,
  replyHiddenReason: reviews.replyHiddenReason,
  decidedAt: reviews.decidedAt,
  openReports,
};
const forAdmin = <T extends { name: string | null }>({ name, ...row }: T) => ({ ...row, author: authorOf(name) });

const REVIEW_TABS = ["reported", "hidden", "all"] as const;
export type ReviewTab = (typeof REVIEW_TABS)[number];
export const isReviewTab = (text: string | null): text is ReviewTab => REVIEW_TABS.includes(text as ReviewTab);

/** Returns a page of reviews for an administrator: reported ones, or the newest. */
export async function listReviews(ctx: Ctx<Actor>, input: { tab: ReviewTab; page: number }) {
  asAdmin(ctx);
  const where: Record<ReviewTab, SQL | undefined> = {
    reported: isReported,
    hidden: eq(reviews.status, "hidden"),
    all: sql`${reviews.status} <> 'withdrawn'`,
  };
  const [rows, total, reported] = await Promise.all([
    ctx.db
      .select(adminRow)
      .from(reviews)
      .innerJoin(patients, eq(patients.id, reviews.patientId))
      .innerJoin(doctors, eq(doctors.id, reviews.doctorId))
      .where(where[input.tab])
      .orderBy(...(input.tab === "reported" ? [desc(openReports)] : []), desc(reviews.createdAt), desc(reviews.id))
      .limit(PAGE + 1)
      .offset((input.page - 1) * PAGE),
    ctx.db.$count(reviews, where[input.tab]),
    countReported(ctx),
  ]);
  return { rows: rows.slice(0, PAGE).map(forAdmin), total, hasMore: rows.length > PAGE, reported };
}

/** Reviews that wait for an administrator. */
export const isReported = and(eq(reviews.status, "shown"), sql`${openReports} > 0`);

/** Counts visible reviews with open reports. */
export async function countReported(ctx: Ctx<Actor>): Promise<number> {
  asAdmin(ctx);
  return ctx.db.$count(reviews, isReported);
}

/** Returns a review with its reports for an administrator. Reporters are shown by role only. @throws DomainError("not-found") */
export async function getReview(ctx: Ctx<Actor>, id: string | undefined) {
  asAdmin(ctx);
  if (!isUuid(id)) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select(adminRow)
    .from(reviews)
    .innerJoin(patients, eq(patients.id, reviews.patientId))
    .innerJoin(doctors, eq(doctors.id, reviews.doctorId))
    .where(eq(reviews.id, id));
  if (!row) throw new DomainError("not-found");
  const reports = await ctx.db
    .select({
      id: reviewReports.id,
      reason: reviewReports.reason,
      note: opened(reviewReports.note),
      role: sql<Role>`${users.role}`,
      decidedAt: reviewReports.decidedAt,
      createdAt: reviewReports.createdAt,
    })
    .from(reviewReports)
    .innerJoin(users, eq(users.id, reviewReports.reporterId))
    .where(eq(reviewReports.reviewId, id))
    .orderBy(desc(reviewReports.createdAt))
    .limit(100);
  return { ...forAdmin(row), reports };
}
