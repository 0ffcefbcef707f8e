/** A booking form that is sent twice makes one booking. */
import { describe, expect, it } from "vitest";
import { book, bookedId, bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { DAY, doctor, newDoctor, newPatient, SLOT, server, visitsOf } from "../setup/booking.ts";

describe("one form, one booking", () => {
  it("the same form twice, one after the other, leads to the same booking", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const photo = await photoWithPlace();
    const press = () => book(patient, own.id, SLOT, { idempotencyKey: "the-same-key-1" }, [asFile(photo, "once.jpg")]);
    const [first, second] = [await press(), await press()];
    expect(bookedId(first)).toBeTruthy();
    expect(second.location).toBe(first.location);
    expect(await visitsOf(patient)).toHaveLength(1);
    // The document of the second post is not offered for the next visit.
    expect(readable((await patient.get(bookingPage(own.id, { date: DAY, time: "11:00" }))).text)).not.toContain("once.jpg");
  });
  it("the same form ten times at once makes one booking", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(patient, own.id, SLOT, { idempotencyKey: "the-same-key-2" })));
    expect(new Set(answers.map((a) => a.location)).size).toBe(1);
    expect(bookedId(answers[0]!)).toBeTruthy();
    expect(await visitsOf(patient)).toHaveLength(1);
    expect((await server.sql`select from notifications where user_id = ${own.id}`).count).toBe(1);
  });
  it("a new form for the same slot after a lost response leads to the same booking", async () => {
    const own = await newDoctor();
    const patient = await newPatient();
    const first = await book(patient, own.id, SLOT);
    const page = await patient.get(bookingPage(own.id, SLOT));
    expect(readable(page.text)).toContain("You have already booked this time.");
    expect(page.text).toContain(`href="${first.location}"`);
    const again = await book(patient, own.id, SLOT);
    expect(again.location).toBe(first.location);
    expect(await visitsOf(patient)).toHaveLength(1);
  });
  it("refuses the key of a booking with another patient, slot or doctor, and does not count a retry in a limit", async () => {
    const [own, other] = [await newDoctor(), await newDoctor()];
    const patient = await newPatient();
    const key = "the-same-key-3";
    const first = await book(patient, own.id, SLOT, { idempotencyKey: key });
    const spent = () => server.sql`select count(*)::int from rate_limits`.then(([row]) => row!.count as number);
    const before = await spent();
    for (const [doctorId, slot, over] of [
      [own.id, SLOT, { name: "Another Patient" }],
      [own.id, SLOT, { age: "35" }],
      [own.id, { ...SLOT, time: "11:30" as typeof SLOT.time }, {}],
      [other.id, SLOT, {}],
    ] as const) {
      const answer = await book(patient, doctorId, slot, { idempotencyKey: key, ...over });
      expect([answer.status, bookedId(answer)]).toEqual([409, null]);
    }
    expect((await book(patient, own.id, SLOT, { idempotencyKey: key })).location).toBe(first.location);
    expect((await book(patient, own.id, SLOT)).location).toBe(first.location); // their own slot, with a new key
    expect(await spent()).toBe(before);
    expect(await visitsOf(patient)).toHaveLength(1);
  });
  it("the key of another user is a different key", async () => {
    const own = await newDoctor();
    const [a, b] = [await newPatient(), await newPatient()];
    const first = await book(a, own.id, { date: DAY, time: "09:00" }, { idempotencyKey: "shared-key-1" });
    const second = await book(b, own.id, { date: DAY, time: "09:30" }, { idempotencyKey: "shared-key-1" });
    expect(bookedId(second)).toBeTruthy();
    expect(second.location).not.toBe(first.location);
  });
  it("each page has its own key, and a form without one is refused", async () => {
    const patient = await newPatient();
    const key = async () => valuesOf((await patient.get(bookingPage(doctor.id, SLOT))).text).idempotencyKey;
    expect(await key()).not.toBe(await key());
    expect((await book(patient, doctor.id, SLOT, { idempotencyKey: undefined })).status).toBe(400);
  });
});
