/** Announcements: who gets one, once, in which language, and what a withdrawal removes. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { addDays, todayInIndia } from "#app/lib/dates.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { makeHospital, makeReviewer } from "../../../../tests/factories/cases.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, makeStaff, type Person } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import type { AnnouncementInput } from "./announcement.schema.ts";
import { deliverAnnouncement } from "./deliver-announcement.server.ts";
import { dismissAnnouncement, findBanner, getAnnouncement, listAnnouncements } from "./queries.server.ts";
import { saveAnnouncement, sendAnnouncement, withdrawAnnouncement } from "./save-announcement.server.ts";

const { db, sql, ctx } = testDb();
const admin = await makeStaff(db, "admin");
const inDays = (days: number) => addDays(todayInIndia(new Date()), days);
const input = (over: Partial<AnnouncementInput> = {}): AnnouncementInput => ({
  audience: "reviewers",
  hospitalId: null,
  ends: inDays(7),
  texts: { en: { title: "Closed on Sunday", message: "No calls." } },
  language: "en",
  ...over,
});
const save = (over: Partial<AnnouncementInput> = {}) => saveAnnouncement(ctx(admin), input(over));
/** Sends and delivers it, two users at a time. */
async function send(id: string) {
  await sendAnnouncement(ctx(admin), id);
  await deliverAnnouncement(ctx(null), id, 2);
}
const noticesOf = async (id: string) =>
  await sql<
    { user_id: string; params: Record<string, string> }[]
  >`select user_id, params from notifications where params ->> 'announcement' = ${id}`;
const received = async (id: string) => (await noticesOf(id)).map((row) => row.user_id).toSorted();
const idsOf = (...who: (Person | Actor)[]) => who.map((one) => ("userId" in one ? one.userId : one.id)).toSorted();
// Only the users of each test are in its audience.
beforeEach(() => sql`update users set status = 'disabled' where id <> ${admin.userId}`);

describe("reaches", () => {
  it("a role: its active users, never unclaimed accounts, unverified doctors and others", async () => {
    const [patient, unclaimed, disabled] = [await makePatient(db), await makePatient(db), await makePatient(db)];
    await sql`update patients set unclaimed_since = now() where id = ${unclaimed.id}`;
    await sql`update users set status = 'disabled' where id = ${disabled.id}`;
    const [doctor, , staff, reviewer] = [
      await makeDoctor(db),
      await makeDoctor(db, { status: "draft" }),
      await makeStaff(db, "staff"),
      await makeReviewer(db),
    ];
    for (const [audience, of] of [
      ["patients", patient],
      ["doctors", doctor],
      ["staff", staff],
      ["reviewers", reviewer],
    ] as const) {
      const id = await save({ audience });
      expect((await getAnnouncement(ctx(admin), id)).recipients).toBe(1);
      await send(id);
      expect(await received(id), audience).toEqual(idsOf(of));
    }
  });

  it("the members or the doctors of one place", async () => {
    const [place, other] = [await makeHospital(db), await makeHospital(db)];
    const [member, , left] = [
      await makeMember(db, place.id, "reception"),
      await makeMember(db, other.id, "reception"),
      await makeMember(db, place.id, "billing", { state: "ended" }),
    ];
    const [doctor, elsewhere] = [await makeDoctor(db), await makeDoctor(db)];
    await sql`update doctors set hospital_id = ${place.id} where id = ${doctor.id}`;
    await sql`update doctors set hospital_id = ${other.id} where id = ${elsewhere.id}`;
    const [toMembers, toDoctors] = [
      await save({ audience: "members", hospitalId: place.id }),
      await save({ audience: "place-doctors", hospitalId: place.id }),
    ];
    await send(toMembers);
    await send(toDoctors);
    expect(await received(toMembers)).toEqual(idsOf(member));
    expect(await received(toMembers)).not.toContain(left.userId);
    expect(await received(toDoctors)).toEqual(idsOf(doctor));
  });
});

describe("delivery", () => {
  it("gives every user one notification, with several workers at once and after a restart", async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => makeReviewer(db)));
    const id = await save();
    await sendAnnouncement(ctx(admin), id);
    await Promise.all(Array.from({ length: 4 }, () => deliverAnnouncement(ctx(null), id, 2)));
    // As if the job had died before it stored how far it came.
    await sql`update announcements set state = 'sending', reached = null where id = ${id}`;
    await deliverAnnouncement(ctx(null), id, 3);
    await deliverAnnouncement(ctx(null), id, 3);
    expect(await received(id)).toEqual(idsOf(...people));
    expect(await getAnnouncement(ctx(admin), id)).toMatchObject({ state: "sent", delivered: 7 });
  });

  it("is refused a second time, and starts one job", async () => {
    await makeReviewer(db);
    const id = await save();
    const both = await Promise.allSettled([sendAnnouncement(ctx(admin), id), sendAnnouncement(ctx(admin), id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await sql`select from pgboss.job where name = 'announcement' and data ->> 'announcementId' = ${id}`).toHaveLength(1);
    expect(
      await sql`select details ->> 'recipients' as n from audit_log where action = 'send-announcement' and subject_id = ${id}`,
    ).toEqual([{ n: "1" }]);
  });

  it("has the text in the language of its reader, or in that of the author", async () => {
    const [english, telugu, hindi] = [await makeReviewer(db), await makeReviewer(db), await makeReviewer(db)];
    await sql`update users set language = 'te' where id = ${telugu.userId}`;
    await sql`update users set language = 'hi' where id = ${hindi.userId}`;
    const id = await save({ texts: { en: { title: "<b>Closed</b>", message: "m" }, te: { title: "మూసి ఉంటుంది", message: "సం" } } });
    await send(id);
    const titles = new Map((await noticesOf(id)).map((row) => [row.user_id, row.params.title]));
    expect([english, telugu, hindi].map(({ userId }) => titles.get(userId))).toEqual(["<b>Closed</b>", "మూసి ఉంటుంది", "<b>Closed</b>"]);
    expect(await withLanguage("te", () => findBanner(ctx(english)))).toMatchObject({ title: "మూసి ఉంటుంది", language: "te" });
    expect(await withLanguage("hi", () => findBanner(ctx(english)))).toMatchObject({ title: "<b>Closed</b>", language: "en" });
  });

  it("skips users who registered after it was sent", async () => {
    const first = await makeReviewer(db);
    const id = await save();
    await sendAnnouncement(ctx(admin), id);
    const later = await makeReviewer(db);
    await sql`update users set created_at = now() + interval '1 minute' where id = ${later.userId}`;
    await deliverAnnouncement(ctx(null), id, 2);
    expect(await received(id)).toEqual(idsOf(first));
  });
});

describe("the banner", () => {
  it("is shown until its last day ends in India, or until the user closes it", async () => {
    const [one, two] = [await makeReviewer(db), await makeReviewer(db)];
    const id = await save({ ends: inDays(0) });
    await send(id);
    const end = new Date(`${inDays(1)}T00:00:00+05:30`);
    expect(await findBanner(ctx(one, new Date(end.getTime() - 1)))).toMatchObject({ id, title: "Closed on Sunday" });
    expect(await findBanner(ctx(one, end))).toBe(null);
    const before = new Date(end.getTime() - 1);
    await dismissAnnouncement(ctx(one), id);
    await dismissAnnouncement(ctx(one), id);
    expect(await findBanner(ctx(one, before))).toBe(null);
    expect(await findBanner(ctx(two, before))).toMatchObject({ id });
    await expect(dismissAnnouncement(ctx((await makePatient(db)).actor), id)).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("and the notifications disappear when it is withdrawn, also while it is being sent", async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => makeReviewer(db)));
    const [sent, other] = [await save(), await save()];
    await send(sent);
    await send(other);
    await withdrawAnnouncement(ctx(admin), sent);
    expect(await findBanner(ctx(people[0]!))).toMatchObject({ id: other });
    await Promise.all([deliverAnnouncement(ctx(null), sent, 2), deliverAnnouncement(ctx(null), sent, 2)]);
    expect(await received(sent)).toEqual([]);
    expect(await received(other)).toHaveLength(5);
    const half = await save();
    await sendAnnouncement(ctx(admin), half);
    await withdrawAnnouncement(ctx(admin), half);
    await deliverAnnouncement(ctx(null), half, 2);
    expect(await received(half)).toEqual([]);
    expect(await getAnnouncement(ctx(admin), half)).toMatchObject({ state: "withdrawn", delivered: 0 });
  });
});

it("only a draft can be changed, within 90 days, and only with an audience that has users", async () => {
  const id = await save();
  await expect(sendAnnouncement(ctx(admin), id)).rejects.toMatchObject({ code: "conflict" });
  expect(await getAnnouncement(ctx(admin), id)).toMatchObject({ state: "draft" });
  await makeReviewer(db);
  await saveAnnouncement(ctx(admin), input({ texts: { en: { title: "Changed", message: "m" } } }), id);
  for (const ends of [inDays(-1), inDays(91)]) await expect(save({ ends })).rejects.toMatchObject({ code: "invalid" });
  await expect(save({ audience: "members" })).rejects.toMatchObject({ code: "invalid" });
  await send(id);
  await expect(saveAnnouncement(ctx(admin), input(), id)).rejects.toMatchObject({ code: "conflict" });
  expect((await listAnnouncements(ctx(admin), { page: 1 })).rows[0]).toMatchObject({
    id,
    state: "sent",
    texts: { en: { title: "Changed" } },
  });
});

it("is for administrators only", async () => {
  const id = await save();
  const others = [(await makePatient(db)).actor, (await makeDoctor(db)).actor, await makeReviewer(db), await makeStaff(db, "staff")];
  for (const actor of others) {
    await expect(saveAnnouncement(ctx(actor), input())).rejects.toMatchObject({ code: "forbidden" });
    await expect(sendAnnouncement(ctx(actor), id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(withdrawAnnouncement(ctx(actor), id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(getAnnouncement(ctx(actor), id)).rejects.toMatchObject({ code: "forbidden" });
    await expect(listAnnouncements(ctx(actor), { page: 1 })).rejects.toMatchObject({ code: "forbidden" });
  }
});
