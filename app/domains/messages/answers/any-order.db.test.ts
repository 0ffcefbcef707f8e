/** Messages of several phones in any order, repeated and late, against the database. The same without a database: conversation/any-order.test.ts. */
import { and, eq, inArray, like } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { appointments, doctors, inboundMessages, messageThreads, outboundMessages, practices, users } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { MESSAGE_CHANNELS, type MessageChannel } from "#app/lib/vocabulary.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../../../../tests/factories/members.ts";
import { makeDoctor, makePatient, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { GATE } from "../../../../tests/setup/long.ts";
import { seedOf } from "../../../../tests/setup/seed.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { randomOf } from "../../../../tests/setup/waitlist-simulation.ts";
import type { Rendered } from "../conversation/render.ts";
import { receiveMessage } from "../receive/receive-message.server.ts";
import { answerThread } from "./answer-thread.server.ts";
import { pushQuestion } from "./push-question.server.ts";

const { db, ctx } = testDb();
const day = addDays(todayInIndia(new Date()), 9);
/** Each test has hours of its own: all numbers together may send so much in a minute. */
let start = instantInIndia(addDays(day, -7), "12:00").getTime();
beforeEach(() => {
  start += 4 * 60 * 60_000;
});
const later = (minutes: number) => new Date(start + minutes * 60_000);

// A failure is repeated with MESSAGES_SEED.
const first = seedOf("MESSAGES_SEED");
const NAMES = ["Lakshmi", "Rehana", "Suresh", "Imran", "Padma"].slice(0, GATE ? 3 : 5);
/** Each phone writes this many messages, one each minute or two. */
const EACH = GATE ? 9 : 14;
const OTHERS = ["1", "2", "3", "0", "7", "WHEN", "TOKEN", "ADDRESS", "CANCEL", "HI", "HELP", "STOP", "START", "🙂", "x".repeat(1_000)];

type Writer = { name: string; phone: string; channel: MessageChannel };
/** `at`: when it was written. `arrives`: the minutes in which it is reported. */
type Written = { by: Writer; id: string; text: string; at: number; arrives: number[] };

/** Returns what a phone writes: it books, and then writes anything, also for a second patient of the family. */
function write(by: Writer, keyword: string, seed: number, random: () => number): Written[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const others = [...OTHERS, keyword, "Can I bring my mother too", `${by.name} Devi 34 F`, `${by.name} Kumari 8 F`];
  const texts = [keyword, pick(["1", "2"]), `${by.name} Devi 34 F`, ...Array.from({ length: EACH - 3 }, () => pick(others))];
  let at = 0;
  return texts.map((text, i) => {
    at += 1 + Math.floor(random() * 2);
    const arrival = at + (random() < 0.4 ? Math.floor(random() * 12) : 0);
    const arrives = Array.from({ length: pick([1, 1, 2, 10]) }, () => arrival + Math.floor(random() ** 4 * 20));
    return { by, id: `${seed}-${by.phone}-${by.channel}-${i}`, text, at, arrives };
  });
}

async function makeClinic(seed: number): Promise<{ doctor: TestDoctor; keyword: string }> {
  const slots = ["10:00", "10:30", "11:00", "11:30"].map((time) => ({ date: day, time }));
  const doctor = await makeDoctor(db, { name: "Dr. Venkat Rao", slots });
  const clinic = await makePlace(db);
  const keyword = `ANY${seed % 1e9}`;
  await db.update(practices).set({ keyword }).where(eq(practices.id, doctor.id));
  await db.update(doctors).set({ hospitalId: clinic.id }).where(eq(doctors.id, doctor.id));
  await addPlaceDoctor(db, clinic.id, doctor.id);
  await makeMember(db, clinic.id, "reception");
  return { doctor, keyword };
}

const receive = ({ by: { phone, channel }, id, text, at }: Written, minute: number) =>
  receiveMessage(ctx(null, later(minute)), { phone, channel, kind: "text", provider: "test", providerId: id, text, sentAt: later(at) });
const visitsOf = (phone: string) => db.select().from(appointments).where(eq(appointments.patientPhone, phone));
const threadsOf = (phones: string[]) => db.select().from(messageThreads).where(inArray(messageThreads.phone, phones));
const saidTo = async (phone: string) => {
  const rows = await db
    .select({ content: opened(outboundMessages.content), template: outboundMessages.template, channel: messageThreads.channel })
    .from(outboundMessages)
    .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
    .where(eq(messageThreads.phone, phone));
  return rows.map(({ content, template, channel }) => ({ template, channel, body: (content as unknown as Rendered).body }));
};

/** Reports messages minute by minute, all of a minute at once. In between the clinic cancels, and reminders are sent. Returns those that were sent. */
async function play(written: Written[], { doctor }: { doctor: TestDoctor }, random: () => number): Promise<number> {
  let pushed = 0;
  const phones = [...new Set(written.map(({ by }) => by.phone))];
  const last = Math.max(...written.flatMap(({ arrives }) => arrives));
  for (let minute = 0; minute <= last; minute++) {
    const due = written.flatMap((one) => one.arrives.filter((at) => at === minute).map(() => one));
    await Promise.all(due.map((one) => receive(one, minute)));
    const waiting = (await threadsOf(phones)).map(({ id }) => id);
    await Promise.all([...waiting, ...waiting].map((id) => answerThread(ctx(null, later(minute)), id)));
    const open = (await Promise.all(phones.map(visitsOf))).flat().filter(({ status }) => status === "pending");
    const [visit] = open;
    if (!visit || random() > 0.3) continue;
    if (random() < 0.3) await changeAppointment(ctx(doctor.actor, later(minute)), { id: visit.id, action: "cancel", reason: "busy" });
    const notice = { userId: visit.patientId, kind: "appointment-reminder-day", params: { appointment: visit.id } };
    const [account] = await db.select({ phone: users.phone }).from(users).where(eq(users.id, visit.patientId));
    if ((await pushQuestion(ctx(null, later(minute)), account!.phone!, notice)) === "sent") pushed++;
  }
  return pushed;
}

describe.each(Array.from({ length: GATE ? 1 : 8 }, (_, n) => first + n))("seed %i", (seed) => {
  it("books each message at most once, tells nobody of others, and lets everybody reach a person", { timeout: 60_000 }, async () => {
    const random = randomOf(seed);
    const clinic = await makeClinic(seed);
    const writers: Writer[] = NAMES.map((name, i) => ({ name, phone: newPhone(), channel: i % 2 ? "whatsapp" : "sms" }));
    // One of them uses both channels.
    const both = { ...writers[0]!, channel: "whatsapp" as const };
    const written = [...writers, both].flatMap((by) => write(by, clinic.keyword, seed, random));
    const pushed = await play(written, clinic, random);

    const phones = writers.map(({ phone }) => phone);
    const ids = (await threadsOf(phones)).map(({ id }) => id);
    const stored = await db.select().from(inboundMessages).where(inArray(inboundMessages.threadId, ids));
    expect(stored.map(({ providerId }) => providerId).toSorted()).toEqual(written.map(({ id }) => id).toSorted());
    expect(stored.filter(({ answeredAt }) => answeredAt === null)).toEqual([]);
    const replies = await db.$count(outboundMessages, inArray(outboundMessages.threadId, ids));
    expect(replies).toBeLessThanOrEqual(stored.length + pushed);

    for (const { name, phone } of writers) {
      const visits = await visitsOf(phone);
      const asked = written.filter(({ by, text }) => by.phone === phone && text.startsWith(name));
      expect(visits.length).toBeLessThanOrEqual(asked.length);
      expect(visits.filter(({ patientName }) => !patientName.startsWith(name))).toEqual([]);
      const said = await saidTo(phone);
      const booked = said.filter(({ template }) => template.startsWith("reply-booked"));
      // A time that both channels ask for is booked once, and each is answered.
      if (phone !== both.phone) expect(booked).toHaveLength(visits.length);
      else
        for (const way of MESSAGE_CHANNELS)
          expect(booked.filter(({ channel }) => channel === way).length).toBeLessThanOrEqual(visits.length);
      const others = new RegExp(NAMES.filter((one) => one !== name).join("|"));
      expect(said.filter(({ body }) => others.test(body))).toEqual([]);
    }
    const claimed = await db
      .select()
      .from(appointments)
      .where(and(eq(appointments.doctorId, clinic.doctor.id), eq(appointments.status, "pending")));
    expect(new Set(claimed.map(({ time }) => time)).size).toBe(claimed.length);

    for (const [i, by] of writers.entries()) {
      const say = async (text: string, minute: number) => {
        const message = { by, id: `${seed}-reach-${i}-${minute}`, text, at: minute, arrives: [] };
        await answerThread(ctx(null, later(minute)), (await receive(message, minute))!);
      };
      await say("severe chest pain", 200);
      expect((await saidTo(by.phone)).some(({ body }) => body.includes("112"))).toBe(true);
      await say(clinic.keyword, 201);
      await say("Can somebody call me", 202);
      const asked = await threadsOf([by.phone]);
      expect(asked.find(({ channel }) => channel === by.channel)).not.toMatchObject({ answerer: "nadi" });
    }
  });

  it("tells the new owner of a number nothing of the one before, however late messages arrive", async () => {
    const random = randomOf(seed + 1_000);
    const clinic = await makeClinic(seed + 500_000);
    const owner = await makePatient(db, { name: "Lakshmi" });
    const before: Writer = { name: "Lakshmi", phone: owner.phone, channel: "sms" };
    const old = write(before, clinic.keyword, seed, random);
    await play(old, clinic, random);
    await db.update(users).set({ phone: newPhone() }).where(eq(users.id, owner.id));
    const next = await makePatient(db, { name: "Rehana", phone: before.phone });
    const again = old.map((one) => ({ ...one, id: `late-${one.id}`, arrives: one.arrives.map((at) => at + 100) }));
    const own = write({ ...before, name: "Rehana" }, clinic.keyword, seed + 1, random);
    const moved = own.map((one) => ({ ...one, at: one.at + 101, arrives: one.arrives.map((at) => at + 101) }));
    await play([...again, ...moved], clinic, random);
    const said = await saidTo(before.phone);
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(({ body }) => body.includes("Lakshmi"))).toEqual([]);
    const booked = await db
      .select({ template: outboundMessages.template })
      .from(outboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
      .where(and(eq(messageThreads.phone, before.phone), like(outboundMessages.template, "reply-booked%")));
    expect(booked).toHaveLength(await db.$count(appointments, eq(appointments.patientId, next.id)));
  });
});
