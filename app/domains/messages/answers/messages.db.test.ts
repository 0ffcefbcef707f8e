/** Messages of phones against the database: what they book, change and are told. */
import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, like } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  appointments,
  auditLog,
  consents,
  familyMembers,
  inboundMessages,
  messageStops,
  messageThreads,
  outboundMessages,
  outboxMessages,
  patients,
  practices,
  users,
  waitlistOffers,
} from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { appointmentQueries } from "#app/domains/booking/appointments/send-reminders.server.ts";
import { joinWaitlist } from "#app/domains/booking/waitlist/join-waitlist.server.ts";
import { settleAllWaitlists } from "#app/domains/booking/waitlist/settle-all.server.ts";
import { transact } from "#app/domains/context.server.ts";
import { NOTICE } from "#app/domains/platform/accounts/privacy-notice.ts";
import { sendNotificationSms } from "#app/domains/platform/delivery/deliver.server.ts";
import { hasStopped, setStopped } from "#app/domains/platform/delivery/stopped.server.ts";
import { deleteAccount } from "#app/domains/privacy/own-data/delete-account.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import { env } from "#app/runtime/env.server.ts";
import { makeDoctor, makePatient, makeVisit, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { countWaiting } from "../../../../tests/setup/locked.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import type { Rendered } from "../conversation/render.ts";
import { sendMessage, sendMessages } from "../delivery/send-message.server.ts";
import { type Received, receiveMessage, sweepMessages } from "../receive/receive-message.server.ts";
import { answerThread, answerThreads, lockThread } from "./answer-thread.server.ts";
import { pushQuestion } from "./push-question.server.ts";
import { spendAnswers } from "./total-limit.server.ts";

const { db, sql, ctx } = testDb();
const day = addDays(todayInIndia(new Date()), 9);
const noon = instantInIndia(addDays(day, -4), "12:00");
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

let doctor: TestDoctor;
let keyword = 100;
let word = "";
beforeEach(async () => {
  word = `RAO${++keyword}`;
  doctor = await makeDoctor(db, { name: "Dr. Venkat Rao", slots: ["10:00", "10:30", "11:00"].map((time) => ({ date: day, time })) });
  await db.update(practices).set({ keyword: word }).where(eq(practices.id, doctor.id));
});

let ids = 0;
type Phone = { phone: string; channel: MessageChannel };
const phoneOf = (channel: MessageChannel = "sms"): Phone => ({ phone: newPhone(), channel });
const messageOf = (from: Phone, text: string, at: Date, more: Partial<Received> = {}): Received => ({
  ...from,
  provider: "test",
  providerId: String(++ids),
  kind: "text",
  text,
  sentAt: at,
  ...more,
});
/** Fails until a query waits for a lock. */
const waitsForLock = async () => expect(await countWaiting({ sql })).toBe(1);
/** Sends a text and returns the answers to it. */
async function write(from: Phone, text: string, at: Date, more: Partial<Received> = {}): Promise<string[]> {
  const before = (await readBy(from)).length;
  const thread = await receiveMessage(ctx(null, at), messageOf(from, text, at, more));
  if (thread) await answerThread(ctx(null, at), thread);
  return (await readBy(from)).slice(before);
}
const ofPhone = ({ phone, channel }: Phone) => and(eq(messageThreads.phone, phone), eq(messageThreads.channel, channel));
/** Returns what a phone was told. */
async function readBy(from: Phone): Promise<string[]> {
  const rows = await db
    .select({ content: opened(outboundMessages.content) })
    .from(outboundMessages)
    .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
    .where(ofPhone(from))
    .orderBy(asc(outboundMessages.createdAt));
  return rows.map(({ content }) => (content as unknown as Rendered).body);
}
const threadOf = async (from: Phone) => (await db.select().from(messageThreads).where(ofPhone(from)))[0]!;
const visitsOf = (from: Phone) => db.select().from(appointments).where(eq(appointments.patientPhone, from.phone));
const bookBy = async (from: Phone, at = noon, name = "Lakshmi Devi 34 F") => {
  await write(from, word, at);
  await write(from, "1", new Date(at.getTime() + 60_000));
  return write(from, name, new Date(at.getTime() + 120_000));
};

describe("booking", () => {
  it("books for a phone without an account, in three messages of the user", async () => {
    const lakshmi = phoneOf();
    const [booked] = await bookBy(lakshmi);
    expect(booked).toContain("Request sent: Lakshmi, ");
    const [visit] = await visitsOf(lakshmi);
    expect(visit).toMatchObject({
      patientName: "Lakshmi Devi",
      patientAge: 34,
      patientGender: "female",
      status: "pending",
      time: "10:00:00",
    });
    const [entry] = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, visit!.id), eq(auditLog.action, "book-appointment")));
    expect(entry?.details).toMatchObject({ channel: "sms" });
    expect(await threadOf(lakshmi)).toMatchObject({ patientId: visit!.patientId, hospitalId: null });
  });
  it("books once, whatever is repeated", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    const last = messageOf(lakshmi, "Lakshmi Devi 34 F", later(2), { providerId: "repeated" });
    for (let i = 0; i < 10; i++) {
      const thread = await receiveMessage(ctx(null, later(3)), last);
      if (thread) await answerThread(ctx(null, later(3)), thread);
    }
    expect(await visitsOf(lakshmi)).toHaveLength(1);
  });
  it("gives one of two phones the last time, and the other further times", async () => {
    const [first, second] = [phoneOf(), phoneOf("whatsapp")];
    for (const one of [first, second]) {
      await write(one, word, noon);
      await write(one, "1", later(1));
    }
    const both = await Promise.all([first, second].map((one) => write(one, "Ravi 40 M", later(2))));
    expect(both.flat().filter((text) => text.startsWith("Request sent"))).toHaveLength(1);
    expect(both.flat().filter((text) => text.startsWith("That time was just taken"))).toHaveLength(1);
  });
  it("answers concurrent runs of a conversation once", async () => {
    const lakshmi = phoneOf();
    await write(lakshmi, word, noon);
    const thread = (await receiveMessage(ctx(null, later(1)), messageOf(lakshmi, "1", later(1))))!;
    await Promise.all(Array.from({ length: 5 }, () => answerThread(ctx(null, later(1)), thread)));
    expect(await readBy(lakshmi)).toHaveLength(2);
  });
  it("knows the age of the account's owner", async () => {
    const lakshmi = await makePatient(db, { name: "Lakshmi Devi" });
    const from: Phone = { phone: lakshmi.phone, channel: "sms" };
    await db.update(patients).set({ dateOfBirth: "1990-01-01", gender: "female" }).where(eq(patients.id, lakshmi.id));
    const [text] = await bookBy(from, noon, "lakshmi  DEVI");
    expect(text).toContain("Request sent: lakshmi");
  });
  it("asks for the age where the account knows two patients of the name", async () => {
    const lakshmi = await makePatient(db, { name: "Lakshmi Devi" });
    const known = { dateOfBirth: "1990-01-01", gender: "female" as const };
    await db.update(patients).set(known).where(eq(patients.id, lakshmi.id));
    await db.insert(familyMembers).values({ ...known, patientId: lakshmi.id, name: "Lakshmi devi", relation: "daughter" });
    const [text] = await bookBy({ phone: lakshmi.phone, channel: "sms" }, noon, "Lakshmi Devi");
    expect(text).toContain("How old is Lakshmi");
  });
  it("stores the consent with its channel and language: the question for the name links the notice", async () => {
    const lakshmi = phoneOf("whatsapp");
    await write(lakshmi, word, noon);
    await write(lakshmi, "TELUGU", later(1));
    await write(lakshmi, word, later(2));
    expect(await write(lakshmi, "1", later(3))).toEqual([expect.stringContaining("/patient/terms")]);
    const owner = async () => (await threadOf(lakshmi)).patientId;
    expect(await owner()).toBeNull();
    await write(lakshmi, "Lakshmi Devi 34 F", later(4));
    await bookBy(lakshmi, later(5), "Ravi 8 M");
    const rows = await db
      .select()
      .from(consents)
      .where(eq(consents.userId, (await owner())!));
    expect(rows).toMatchObject([{ notice: NOTICE, language: "te", channel: "whatsapp", at: later(4) }]);
  });
  it("cancels what was just booked, and offers it to the next patient", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    expect(await write(lakshmi, "2", later(3))).toEqual([expect.stringContaining("Cancelled: ")]);
    expect(await visitsOf(lakshmi)).toMatchObject([{ status: "cancelled", cancelledBy: "patient" }]);
  });
});

describe("reminders and offers", () => {
  it("cancels by 2, and the offer that follows is taken by 1", async () => {
    const [lakshmi, rehana] = [phoneOf(), phoneOf("whatsapp")];
    await bookBy(lakshmi);
    const owner = (await threadOf(lakshmi)).patientId!;
    const [visit] = await visitsOf(lakshmi);
    // The others of the day are booked, and Rehana waits.
    for (const time of ["10:30", "11:00"]) await makeVisit(db, { patient: await makePatient(db), doctor }, { date: day, time });
    await write(rehana, "HI", later(5));
    const waiting = await makePatient(db, { name: "Rehana", phone: rehana.phone });
    await joinWaitlist(ctx(waiting.actor, later(6)), {
      ...{ doctorId: doctor.id, date: day, practiceId: undefined, appointment: undefined, who: "me", name: undefined },
      ...{ age: 40, gender: "female", days: 0, parts: [], sms: true },
    });
    const params = { appointment: visit!.id, date: day, time: "10:00", doctor: "Dr. Venkat Rao" };
    const reminder = { userId: owner, kind: "appointment-reminder-day", params };
    await write(lakshmi, "HI", later(4));
    expect(await pushQuestion(ctx(null, later(5)), lakshmi.phone, reminder)).toBe("busy");
    expect(await pushQuestion(ctx(null, later(30)), lakshmi.phone, reminder)).toBe("sent");
    expect(await write(lakshmi, "2", later(31))).toEqual([expect.stringContaining("Cancelled: ")]);
    const [offer] = await db.select().from(waitlistOffers).where(eq(waitlistOffers.doctorId, doctor.id));
    expect(offer).toMatchObject({ state: "offered", time: "10:00:00" });
    const offered = { userId: waiting.id, kind: "waitlist-offer", params: { date: day, time: "10:00" } };
    expect(await pushQuestion(ctx(null, later(32)), rehana.phone, offered)).toBe("sent");
    const told = await readBy(rehana);
    expect(told.at(-1)).toContain("A time is free: Dr. Venkat Rao");
    expect(told.join()).not.toContain("Lakshmi");
    expect(await write(rehana, "1", later(33))).toEqual([expect.stringContaining("Booked: ")]);
    expect(
      await db
        .select()
        .from(appointments)
        .where(and(eq(appointments.patientId, waiting.id), eq(appointments.time, "10:00"))),
    ).toMatchObject([{ status: "pending" }]);
  });
  it("sends no offer that lapsed while the provider was down, and says so to a late answer", async () => {
    const [lakshmi, rehana] = [phoneOf(), phoneOf()];
    await bookBy(lakshmi);
    for (const time of ["10:30", "11:00"]) await makeVisit(db, { patient: await makePatient(db), doctor }, { date: day, time });
    await write(rehana, "WHEN", later(3));
    const waiting = await makePatient(db, { name: "Rehana", phone: rehana.phone });
    await joinWaitlist(ctx(waiting.actor, later(4)), {
      ...{ doctorId: doctor.id, date: day, practiceId: undefined, appointment: undefined, who: "me", name: undefined },
      ...{ age: 40, gender: "female", days: 0, parts: [], sms: true },
    });
    await write(lakshmi, "2", later(5));
    const offered = { userId: waiting.id, kind: "waitlist-offer", params: { date: day, time: "10:00" } };
    expect(await pushQuestion(ctx(null, later(6)), rehana.phone, offered)).toBe("sent");
    const ofRehana = and(eq(outboundMessages.threadId, (await threadOf(rehana)).id), like(outboundMessages.template, "reply-offer%"));
    const [offer] = await db.select({ id: outboundMessages.id }).from(outboundMessages).where(ofRehana);
    const base = ctx(null, later(7));
    const down = { send: () => Promise.reject(new DomainError("unavailable")) };
    await expect(sendMessage({ ...base, integrations: { ...base.integrations, sms: down } }, offer!.id)).rejects.toThrow();
    await settleAllWaitlists(ctx(null, later(60 * 20)));
    await sendMessage(ctx(null, later(60 * 20)), offer!.id);
    expect(await db.select().from(outboxMessages).where(eq(outboxMessages.to, rehana.phone))).toEqual([]);
    expect(await write(rehana, "1", later(60 * 20 + 1))).toEqual([expect.stringContaining("This offer has ended")]);
    expect(await pushQuestion(ctx(null, later(60 * 20 + 2)), rehana.phone, offered)).toBe("none");
  });
});

describe("STOP", () => {
  it("ends notifications at once, but not answers, until START", async () => {
    const patient = await makePatient(db, { name: "Asha" });
    const from: Phone = { phone: patient.phone, channel: "sms" };
    const visit = await makeVisit(db, { patient, doctor }, { date: day, time: "10:00" });
    expect(await write(from, "STOP", noon)).toEqual([expect.stringContaining("Reply START")]);
    expect(await threadOf(from)).toMatchObject({ stoppedAt: noon });
    expect(await write(from, "WHEN", later(1))).toEqual([expect.stringContaining("Next: ")]);
    const reminder = { userId: patient.id, kind: "appointment-reminder-day", params: { appointment: visit } };
    await pushQuestion(ctx(null, later(60)), from.phone, reminder);
    expect(await readBy(from)).toHaveLength(2);
    expect(await write(from, "START", later(61))).toHaveLength(1);
    expect(await threadOf(from)).toMatchObject({ stoppedAt: null });
    await write(from, "START", later(62));
    const entries = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, (await threadOf(from)).id))
      .orderBy(asc(auditLog.at));
    expect(entries).toMatchObject([
      { action: "stop-messages", personId: patient.id, details: { channel: "sms" } },
      { action: "start-messages", personId: patient.id, details: { channel: "sms" } },
    ]);
  });
});

describe("STOP and danger words", () => {
  it("STOP counts for all channels of the phone, in a flood, and after the account is deleted", async () => {
    const from = phoneOf();
    const other: Phone = { ...from, channel: "whatsapp" };
    await bookBy(from);
    for (let i = 0; i < 45; i++) await write(from, `word ${i}`, later(3));
    expect(await write(from, "Please stop", later(4))).toEqual([expect.stringContaining("Reply START")]);
    expect(await hasStopped(ctx(null, later(5)), from.phone)).toBe(true);
    expect(await write(other, "START", later(6))).toHaveLength(1);
    expect(await hasStopped(ctx(null, later(7)), from.phone)).toBe(false);
    expect(await threadOf(from)).toMatchObject({ stoppedAt: null });
    await write(other, "STOP", later(8));
    await deleteAccount(ctx({ userId: (await threadOf(from)).patientId!, role: "patient" }, later(10)));
    expect(await hasStopped(ctx(null, later(11)), from.phone)).toBe(true);
  });
  it("answers danger words first, and a message with NUL", async () => {
    const from = phoneOf();
    await receiveMessage(ctx(null, noon), messageOf(from, "a\0b", noon));
    const thread = (await receiveMessage(ctx(null, later(1)), messageOf(from, "severe chest pain", later(1))))!;
    await answerThread(ctx(null, later(1)), thread);
    expect((await readBy(from))[0]).toContain("112");
    expect(await readBy(from)).toHaveLength(2);
  });
  it("answers one of many missed calls, and none after STOP", async () => {
    const from = phoneOf();
    for (let i = 0; i < 5; i++) await write(from, "", later(i / 10), { kind: "call" });
    expect(await readBy(from)).toHaveLength(1);
    await write(from, "STOP", later(1));
    expect(await write(from, "", later(30), { kind: "call" })).toEqual([]);
  });
  it("does not thank for an appointment that was cancelled meanwhile", async () => {
    const from = phoneOf();
    await bookBy(from);
    const [visit] = await visitsOf(from);
    await pushQuestion(ctx(null, later(30)), from.phone, {
      ...{ userId: visit!.patientId, kind: "appointment-reminder-day" },
      params: { appointment: visit!.id },
    });
    await changeAppointment(ctx(doctor.actor, later(31)), { id: visit!.id, action: "cancel", reason: "busy" });
    expect(await write(from, "1", later(32))).toEqual([expect.stringContaining("can no longer be changed")]);
  });
});

describe("who is answered", () => {
  it("does not show appointments of another phone", async () => {
    const [lakshmi, stranger] = [phoneOf(), phoneOf()];
    await bookBy(lakshmi);
    for (const text of ["WHEN", "TOKEN", "ADDRESS"]) expect((await write(stranger, text, later(5))).join()).not.toMatch(/Lakshmi|Rao/);
  });
  it("starts anew for a number that was not seen for a year", async () => {
    const lakshmi = phoneOf();
    await write(lakshmi, word, noon);
    await write(lakshmi, "TELUGU", later(1));
    const { id } = await threadOf(lakshmi);
    const year = new Date(noon.getTime() + 366 * 86_400_000);
    await write(lakshmi, "1", year);
    expect(await threadOf(lakshmi)).toMatchObject({ language: null });
    expect((await threadOf(lakshmi)).id).not.toBe(id);
  });
  it("starts anew for a number that another account has now", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    const { id, patientId } = await threadOf(lakshmi);
    await db.update(users).set({ phone: newPhone() }).where(eq(users.id, patientId!));
    await makePatient(db, { phone: lakshmi.phone });
    expect((await write(lakshmi, "WHEN", later(5))).join()).not.toContain("Rao");
    expect((await threadOf(lakshmi)).id).not.toBe(id);
  });
  it("sends no reminder of a new owner to the conversation of the one before", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    const { patientId } = await threadOf(lakshmi);
    const params = { appointment: (await visitsOf(lakshmi))[0]!.id };
    await db.update(users).set({ phone: newPhone() }).where(eq(users.id, patientId!));
    const owner = await makePatient(db, { phone: lakshmi.phone });
    await db.update(appointments).set({ patientId: owner.id }).where(eq(appointments.id, params.appointment));
    const notice = { userId: owner.id, kind: "appointment-reminder-day", params };
    expect(await pushQuestion(ctx(null, later(60)), lakshmi.phone, notice)).toBe("none");
  });
  it("forgets the conversation of a deleted account", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    const { id, patientId } = await threadOf(lakshmi);
    await deleteAccount(ctx({ userId: patientId!, role: "patient" }, later(10)));
    expect(await db.select().from(messageThreads).where(eq(messageThreads.id, id))).toEqual([]);
    expect(await db.select().from(inboundMessages).where(eq(inboundMessages.threadId, id))).toEqual([]);
  });
  it("waits for a message that is being answered before it deletes the account", async () => {
    const lakshmi = phoneOf();
    await bookBy(lakshmi);
    const { id, patientId } = await threadOf(lakshmi);
    let deleted: Promise<void> | undefined;
    await transact(ctx(null, later(10)), async (tx) => {
      await lockThread(tx, id);
      deleted = deleteAccount(ctx({ userId: patientId!, role: "patient" }, later(10)));
      await vi.waitFor(waitsForLock);
      // With the other order each waits for the other.
      await tx.db.select({ id: users.id }).from(users).where(eq(users.id, patientId!)).for("update");
    });
    await deleted;
    expect(await db.select().from(messageThreads).where(eq(messageThreads.id, id))).toEqual([]);
  });
  it("waits for all conversations of a number before a STOP changes them, as a message that failed does", async () => {
    const bySms = phoneOf();
    const byWhatsApp: Phone = { ...bySms, channel: "whatsapp" };
    for (const one of [bySms, byWhatsApp]) await write(one, word, noon);
    let stopped: Promise<string[]> | undefined;
    await transact(ctx(null, later(1)), async (tx) => {
      const lock = (one: Phone) => tx.db.select({ id: messageThreads.id }).from(messageThreads).where(ofPhone(one)).for("update");
      await lock(byWhatsApp);
      stopped = write(bySms, "STOP", later(1));
      await vi.waitFor(waitsForLock);
      // With the other order each waits for the other.
      await lock(bySms);
    });
    expect(await stopped).toEqual([expect.stringContaining("Reply START")]);
    for (const one of [bySms, byWhatsApp]) expect(await threadOf(one)).toMatchObject({ stoppedAt: later(1) });
  });
  it("answers a STOP again whose transaction a deadlock ended", async () => {
    const from = phoneOf();
    await write(from, word, noon);
    const { id } = await threadOf(from);
    let stopped: Promise<unknown> | undefined;
    await transact(ctx(null, later(1)), async (tx) => {
      await tx.db.insert(messageStops).values({ phoneHash: hashToken(from.phone), stoppedAt: later(1) });
      stopped = write(from, "STOP", later(1)).catch((error: unknown) => error);
      await vi.waitFor(waitsForLock);
      // It waits longer, so it ends.
      await tx.db.select({ id: messageThreads.id }).from(messageThreads).where(eq(messageThreads.id, id)).for("update");
      await setStopped(tx, from.phone, false);
    });
    expect(await stopped).toMatchObject({ cause: { code: "40P01" } });
    await answerThread(ctx(null, later(2)), id);
    expect(await hasStopped(ctx(null, later(2)), from.phone)).toBe(true);
  });
  it("answers a flood once, and danger always", async () => {
    const noisy = phoneOf();
    for (let i = 0; i < 45; i++) await write(noisy, `word ${i}`, later(i / 60));
    const told = await readBy(noisy);
    expect(told.filter((text) => text.startsWith("You have sent many"))).toHaveLength(1);
    expect(told).toHaveLength(41);
    expect(await write(noisy, "severe chest pain", later(2))).toEqual([expect.stringContaining("112")]);
  });
});

describe("many at once", () => {
  it("stores messages that arrive together, each once, and answers those of each number in their order", async () => {
    const phones = Array.from({ length: 12 }, () => phoneOf());
    const texts = ["HI", "1", "WHEN"];
    const all = phones.flatMap((from) => texts.map((text, i) => messageOf(from, text, later(i))));
    const threads = await Promise.all([...all, ...all].map((message) => receiveMessage(ctx(null, later(5)), message)));
    expect(threads.slice(0, all.length).every((thread) => thread !== null)).toBe(true);
    expect(threads.slice(all.length).every((thread) => thread === null)).toBe(true);
    const results = await answerThreads(
      ctx(null, later(5)),
      threads.flatMap((thread) => thread ?? []),
    );
    expect(results.map(({ status }) => status)).toEqual(all.map(() => "fulfilled"));
    // Only in this order are these the answers.
    const answers = ["Nadi: which doctor", "Nadi: which langua", "You have no appoin"];
    for (const from of phones) expect((await readBy(from)).map((text) => text.slice(0, 18)).toSorted()).toEqual(answers);
    const stored = await db
      .select()
      .from(inboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, inboundMessages.threadId))
      .where(
        inArray(
          messageThreads.phone,
          phones.map(({ phone }) => phone),
        ),
      );
    expect(stored.filter(({ inbound_messages: one }) => one.answeredAt === null)).toEqual([]);
    const [first] = stored;
    expect(first?.message_threads.lastInAt).toEqual(later(2));
  });

  it("books, stops and answers danger words among messages that only read", async () => {
    const [books, stops, asks, ill] = [phoneOf(), phoneOf(), phoneOf(), phoneOf("whatsapp")];
    await write(books, word, noon);
    await write(books, "1", later(1));
    const written = [
      messageOf(books, "Lakshmi Devi 34 F", later(2)),
      messageOf(stops, "STOP", later(2)),
      messageOf(asks, "WHEN", later(2)),
      messageOf(ill, "severe chest pain", later(2)),
    ];
    const threads = await Promise.all(written.map((message) => receiveMessage(ctx(null, later(3)), message)));
    await answerThreads(
      ctx(null, later(3)),
      threads.flatMap((thread) => thread ?? []),
    );
    expect((await readBy(books)).at(-1)).toContain("Request sent: Lakshmi, ");
    expect(await readBy(stops)).toEqual([expect.stringContaining("Reply START")]);
    expect(await readBy(asks)).toEqual([expect.stringContaining("You have no appointment")]);
    expect(await readBy(ill)).toEqual([expect.stringContaining("112")]);
    expect(await visitsOf(books)).toHaveLength(1);
  });

  it("answers the others where one conversation cannot be read", async () => {
    const [broken, others] = [phoneOf(), [phoneOf(), phoneOf()]];
    const threads = await Promise.all([broken, ...others].map((from) => receiveMessage(ctx(null, noon), messageOf(from, "HI", noon))));
    await sql`update inbound_messages set content = ${`v1.00000000.${"A".repeat(16)}.${"A".repeat(22)}.AAAA`} where thread_id = ${threads[0]!}`;
    const results = await answerThreads(
      ctx(null, later(1)),
      threads.map((thread) => thread!),
    );
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    for (const from of others) expect(await readBy(from)).toHaveLength(1);
  });

  it("stores a message while its number is answered", async () => {
    const from = phoneOf();
    await write(from, "HI", noon);
    const { id } = await threadOf(from);
    await transact(ctx(null, later(1)), async (tx) => {
      await lockThread(tx, id);
      expect(await receiveMessage(ctx(null, later(1)), messageOf(from, "1", later(1)))).toBe(id);
    });
  });

  it("sends what the provider takes, and leaves the others for their next try", async () => {
    const phones = [phoneOf(), phoneOf(), phoneOf()];
    for (const from of phones) await write(from, "HI", noon);
    const rows = await db
      .select({ id: outboundMessages.id, phone: messageThreads.phone })
      .from(outboundMessages)
      .innerJoin(messageThreads, eq(messageThreads.id, outboundMessages.threadId))
      .where(
        inArray(
          messageThreads.phone,
          phones.map(({ phone }) => phone),
        ),
      );
    const ids = rows.map(({ id }) => id);
    const base = ctx(null, later(1));
    const sent: string[] = [];
    const sms = {
      async send({ to }: { to: string }) {
        if (to === rows[1]!.phone) throw new DomainError("unavailable");
        sent.push(to);
      },
    };
    const results = await sendMessages({ ...base, integrations: { ...base.integrations, sms } }, [...ids, ids[0]!]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(sent.toSorted()).toEqual([rows[0]!.phone, rows[2]!.phone].toSorted());
    const states = await db
      .select({ id: outboundMessages.id, state: outboundMessages.state })
      .from(outboundMessages)
      .where(inArray(outboundMessages.id, ids));
    expect(ids.map((id) => states.find((row) => row.id === id)?.state)).toEqual(["sent", "queued", "sent"]);
  });
});

it("sends each reply once, without a name that was not typed", async () => {
  const lakshmi = phoneOf();
  await bookBy(lakshmi);
  const rows = await db.select({ id: outboundMessages.id }).from(outboundMessages);
  for (const { id } of rows) await Promise.allSettled([sendMessage(ctx(null, noon), id), sendMessage(ctx(null, noon), id)]);
  const sent = await db.select().from(outboxMessages).where(eq(outboxMessages.to, lakshmi.phone));
  expect(sent).toHaveLength(3);
  expect(sent.map(({ body }) => body).toSorted()).toEqual((await readBy(lakshmi)).toSorted());
});

it("deletes old texts and forgotten numbers", async () => {
  const lakshmi = phoneOf();
  await write(lakshmi, word, noon);
  await sweepMessages(ctx(null, new Date(noon.getTime() + 91 * 86_400_000)));
  expect(await readBy(lakshmi)).toEqual([]);
  expect(await threadOf(lakshmi)).toBeTruthy();
  await sweepMessages(ctx(null, new Date(noon.getTime() + 366 * 86_400_000)));
  expect(await db.select().from(messageThreads).where(ofPhone(lakshmi))).toEqual([]);
});

it("sends notifications as before to a phone without a conversation", async () => {
  expect(await pushQuestion(ctx(null, noon), newPhone(), { userId: randomUUID(), kind: "appointment-reminder-day", params: {} })).toBe(
    "none",
  );
  await sendNotificationSms(ctx(null, noon), "00000000-0000-4000-8000-000000000000", { ...appointmentQueries, pushQuestion });
});

// The last one: what it counts is later than the other tests.
it("lets messages beyond the total of a minute wait, except danger words and STOP, and answers them later", async () => {
  const minute = later(600);
  expect(await spendAnswers(ctx(null, minute), env().answersPerMinute)).toBe(0);
  const from = phoneOf();
  expect(await write(from, "HI", minute)).toEqual([]);
  const { id } = await threadOf(from);
  const again = await sql`select 1 from pgboss.job where name = 'conversation' and data->>'threadId' = ${id} and start_after > created_on`;
  expect(again).toHaveLength(1);
  expect(await write(from, "severe chest pain", later(600.1))).toEqual([expect.stringContaining("112")]);
  expect(await write(from, "STOP", later(600.2))).toEqual([expect.stringContaining("Reply START")]);
  await answerThread(ctx(null, later(602)), id);
  expect(await readBy(from)).toHaveLength(3);
  // More than the total do not wait for ever.
  expect(await spendAnswers(ctx(null, later(700)), env().answersPerMinute + 1)).toBe(0);
});
