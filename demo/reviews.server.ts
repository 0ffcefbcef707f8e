import { and, asc, eq, like } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { appointments, doctors, reviewReports, reviews, walletEntries } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { repair } from "#app/domains/directory/ratings.server.ts";
import { days, hours } from "#app/lib/durations.ts";
import { demoId } from "./ids.server.ts";
import { DOCTORS, PATIENTS } from "./people.ts";
import { locked, type SeedCtx } from "./seed-lock.server.ts";

const LAKSHMI = demoId(`patient ${PATIENTS[0]!.name}`);
const ANJALI = demoId(`doctor ${DOCTORS[0]!.fullName}`);

/** What doctors reply to a text of {@link REVIEWS}. */
const REPLIES = new Map([
  [
    "Good doctor. The waiting room was full, we were called about half an hour late.",
    "Thank you for your patience. We now leave ten minutes free in each hour, so that later patients wait less.",
  ],
]);

/** Review texts, best first. Each visit takes the next one. */
const REVIEWS: [stars: number, words: string | null][] = [
  [5, "Listened until I had finished and explained each tablet. I did not feel hurried."],
  [4, "Good doctor. The waiting room was full, we were called about half an hour late."],
  [5, "My mother was afraid, and the doctor took all the time she needed. Thank you."],
  [5, null],
  [3, "Treatment was fine, but I had to ask twice what the blood report means."],
  [5, "Called on time, clear advice in Telugu, and no needless tests."],
  [4, null],
  [5, "Wrote everything down for my daughter, who looks after my medicines."],
  [4, "Polite staff and a clean clinic. Parking is difficult in the evening."],
  [5, "My second visit. The doctor remembered everything from the first one."],
  [2, "My appointment was at ten and I was seen at twelve. We were not told why."],
  [5, "Showed me on a drawing what is wrong and what we can do about it."],
  [4, "Helpful. I would have liked a little more time for my questions."],
];

/**
 * Inserts reviews of completed visits, and 1,200 points into the wallet of the demo patient. Idempotent; does nothing without
 * demo data.
 */
export async function seedDemoReviews(ctx: SeedCtx): Promise<void> {
  const isThere = async (db: Pick<SeedCtx["db"], "select">) =>
    (await db.select({ id: reviews.id }).from(reviews).where(eq(reviews.isDemo, true)).limit(1)).length > 0;
  if (await isThere(ctx.db)) return;
  await locked(ctx, async (db) => {
    if (await isThere(db)) return;
    await addReviews(db, ctx);
    await addLedger(db, ctx.now);
  });
}

async function addReviews(db: Tx, ctx: SeedCtx): Promise<void> {
  const { now } = ctx;
  const visits = await db
    .select({
      appointmentId: appointments.id,
      patientId: appointments.patientId,
      doctorId: appointments.doctorId,
      hospitalId: doctors.hospitalId,
      completedAt: appointments.completedAt,
    })
    .from(appointments)
    .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
    .where(and(eq(appointments.status, "completed"), like(appointments.idempotencyKey, "demo-visit-%")))
    .orderBy(asc(appointments.date), asc(appointments.time), asc(appointments.id));
  // Some doctors are new and have no reviews. The demo patient has written one review and can write another.
  const silent = new Set(DOCTORS.filter((_, i) => i % 5 === 4).map((d) => demoId(`doctor ${d.fullName}`)));
  const spoken = visits.filter((visit, i) =>
    visit.patientId === LAKSHMI ? visit.doctorId !== ANJALI : visit.doctorId === ANJALI ? i % 2 === 0 : !silent.has(visit.doctorId),
  );
  const used = new Set<string>();
  const rows = spoken.flatMap(({ completedAt, ...visit }, i) => {
    const [rating, words] = REVIEWS[(i * 5) % REVIEWS.length]!;
    const createdAt = new Date((completedAt ?? now).getTime() + hours(3 + (i % 40)));
    if (createdAt > now) return [];
    // No doctor gets the same text twice.
    const again = used.has(visit.doctorId + words);
    used.add(visit.doctorId + words);
    const reply = (!again && words && REPLIES.get(words)) || null;
    const replied = { reply, repliedAt: reply ? new Date(Math.min(createdAt.getTime() + hours(20), now.getTime())) : null };
    return [{ id: demoId(`review ${i}`), ...visit, rating, words: again ? null : words, ...replied, createdAt, isDemo: true }];
  });
  if (!rows.length) return;
  await db.insert(reviews).values(rows);
  await repair(db);
  // One review is reported by the doctor and waits for the administrator.
  const disputed = rows.findLast((row) => row.doctorId === ANJALI && row.rating === 2);
  if (disputed)
    await db.insert(reviewReports).values({
      id: demoId("review report"),
      reviewId: disputed.id,
      reporterId: ANJALI,
      reason: "untrue",
      note: sealed(
        reviewReports.note,
        demoId("review report"),
        "We were delayed by an emergency, and my assistant informed everyone in the waiting room.",
        ctx.keys,
      ),
      createdAt: new Date(Math.min(disputed.createdAt.getTime() + hours(5), now.getTime())),
    });
}

async function addLedger(db: Tx, now: Date): Promise<void> {
  const [first] = await db
    .select({ completedAt: appointments.completedAt })
    .from(appointments)
    .where(and(eq(appointments.patientId, LAKSHMI), eq(appointments.status, "completed")))
    .orderBy(asc(appointments.date))
    .limit(1);
  if (!first) return;
  const visited = first.completedAt ?? now;
  const entry = (kind: "mission" | "demo", about: string, points: number, createdAt: Date) => ({
    patientId: LAKSHMI,
    kind,
    about,
    points,
    createdAt,
  });
  await db
    .insert(walletEntries)
    .values([
      entry("mission", "profile", 500, new Date(visited.getTime() - days(2))),
      entry("mission", "first-visit", 500, new Date(visited.getTime() + hours(6))),
      entry("demo", "demo", 200, new Date(visited.getTime() + days(1))),
    ]);
}
