/** Administrators assign cases and help with appointments, reviewers take cases: pages without scripts. */
import { describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeCase, makeHospital, makeReviewer } from "../factories/cases.ts";
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { admin, house, page, reviewer, server } from "../setup/admin.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { loginAs } from "../setup/people.ts";

const waiting = (name: string) => makeCase(server.db, { key: DEMO_KEY, hospital: house, name });

describe("cases", () => {
  it("are taken by a reviewer on the case and in the list, and filtered", async () => {
    const [one, two] = [await waiting("Dr. Taken One"), await waiting("Dr. Taken Two")];
    const action = `/reviewer/cases/${one.id}/assignment`;
    expect((await reviewer.get(`/reviewer/cases/${one.id}`)).text).toContain(`action="${action}"`);
    expect((await reviewer.post(action, { intent: "take", from: "" })).location).toBe(`/reviewer/cases/${one.id}`);
    expect(await page(`/reviewer/cases/${one.id}`, reviewer)).toContain("Assigned to you");
    const colleague = await loginAs(server, await makeReviewer(server.db, house));
    const late = await colleague.post(action, { intent: "take", from: "" });
    expect(late.status).toBe(409);
    expect(readable(late.text)).toMatch(/Reviewer \d+ has this application now/);
    expect((await reviewer.post("/reviewer", { case: two.id })).location).toBe("/reviewer?whose=mine");
    const mine = await page("/reviewer?whose=mine", reviewer);
    for (const name of ["Dr. Taken One", "Dr. Taken Two", "With the hospital since"]) expect(mine).toContain(name);
    expect(await page("/reviewer?whose=unassigned", reviewer)).not.toContain("Dr. Taken");
    expect(readable((await reviewer.post("/reviewer", {})).text)).toContain("Choose at least one application.");
  });

  it("are assigned by an administrator, several at once", async () => {
    const [one, two] = [await waiting("Dr. Given One"), await waiting("Dr. Given Two")];
    const list = await admin.get("/admin/doctors?status=under+review+by+hospital&q=Dr.+Given");
    expect(list.text).toContain('action="/admin/doctors/assign"');
    const form = `/admin/doctors/assign?case=${one.id}&case=${two.id}`;
    for (const word of ["Dr. Given One", "Dr. Given Two", house.name]) expect(await page(form)).toContain(word);
    const answer = await admin.post(form, {
      "cases[0].id": one.id,
      "cases[0].from": "",
      "cases[1].id": two.id,
      "cases[1].from": "",
      "reviewers[0].hospital": house.id,
      "reviewers[0].user": reviewer.userId,
    });
    expect(readable((await admin.follow(answer)).text)).toContain("Applications assigned: 2.");
    expect(await page(`/admin/doctors/${one.id}`)).toMatch(/Assigned to Reviewer \d+/);
    expect(await page("/admin/doctors?q=Dr.+Given&reviewer=unassigned")).not.toContain("Dr. Given One");
    expect(await page("/admin/doctors/assign")).toContain("Choose at least one application.");
    expect((await admin.get("/admin/doctors/assign?case=nonsense")).status).toBe(404);
    const elsewhere = await makeCase(server.db, { key: DEMO_KEY, hospital: await makeHospital(server.db), name: "Dr. No Reviewer" });
    expect(await page(`/admin/doctors/assign?case=${elsewhere.id}`)).toContain("This hospital has no reviewers.");
    expect((await reviewer.get(`/reviewer/cases/${elsewhere.id}/assignment`)).status).toBe(404);
  });
});

describe("an appointment", () => {
  it("is moved, then cancelled for its patient, and the forms return their input", async () => {
    const [patient, doctor] = [await makePatient(server.db), await makeDoctor(server.db, { name: "Dr. Helped" })];
    const day = dayFromNow(6);
    await addSlots(
      server.db,
      doctor.id,
      ["10:00", "11:00"].map((time) => ({ date: day, time })),
    );
    const id = await makeVisit(server.db, { patient, doctor }, { date: day, reason: "Secret illness" });
    const here = `/admin/appointments/${id}`;
    expect((await admin.get("/admin/appointments?q=Dr.+Helped")).text).toContain(`href="${here}"`);
    expect(await page(here)).not.toContain("Secret illness");
    const empty = await admin.post(`${here}/move`, { to: `${day} 11:00`, why: "She asked for later" });
    expect(empty.status).toBe(400);
    expect(readable(empty.text)).toContain("Choose who asked.");
    expect(empty.text).toContain("She asked for later");
    expect((await admin.post(`${here}/move`, { to: `${day} 11:00`, askedBy: "patient", why: "Later" })).location).toBe(here);
    expect(await page(here)).toContain("11:00 AM");
    expect(await page(`${here}/cancel`)).toContain("Full refund of an online payment");
    expect((await admin.post(`${here}/cancel`, { askedBy: "patient", why: "Feels better" })).location).toBe(here);
    expect(await page(here)).toContain("This appointment can no longer change.");
    expect((await admin.post(`${here}/cancel`, { askedBy: "patient", why: "Again" })).status).toBe(409);
    for (const path of [`${here}/cancel`, `${here}/move`]) expect(await page(path)).toContain("This appointment can no longer change.");
    for (const bad of ["nonsense", crypto.randomUUID()])
      for (const part of ["", "/cancel", "/move"]) expect((await admin.get(`/admin/appointments/${bad}${part}`)).status).toBe(404);
  });
});
