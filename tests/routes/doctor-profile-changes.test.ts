/** The picture and the verified fields of a doctor's profile over HTTP, and the administrator's decision. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { errorsOf, hugePng, picture, plain } from "../setup/applications.ts";
import { formOf, openChange, rowOf, save, server, verifiedDoctor } from "../setup/doctor-profile.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

beforeAll(() => watchChanges(server));

describe("the picture", () => {
  const photoOf = async (id: string) => (await rowOf(id)).photo_file_id as string | null;

  it("is shown to patients and cached by their browsers, only while it is a verified doctor's", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor), [await picture(900, 1200), "me.jpg"]);
    const id = (await photoOf(doctor.userId)) ?? "";
    for (const page of [`/details/doctor/${doctor.userId}`, "/doctorspages/Cards-data?q=Asha&show=64"])
      expect((await new Browser(server.url).get(page)).text).toContain(`src="/photos/${id}"`);
    expect((await doctor.get("/doctor/profile")).text).toContain(`src="/photos/${id}"`);
    for (const who of [new Browser(server.url), doctor, await loginAs(server, DEMO.patient)]) {
      const answer = await who.get(`/photos/${id}`);
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
        200,
        "image/jpeg",
        "public, max-age=86400, immutable",
      ]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    // The file belongs to the doctor.
    expect((await (await loginAs(server, DEMO.patient)).get(`/files/${id}`)).status).toBe(404);
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.userId}`;
    const gone = await new Browser(server.url).get(`/photos/${id}`);
    expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  it("shows a toast on the page it is meant for", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor), [await picture(), "me.jpg"]);
    expect((await doctor.get(`/photos/${await photoOf(doctor.userId)}`)).setCookies).toEqual([]);
    expect(plain((await doctor.get("/doctor/profile")).text)).toContain("Profile updated successfully!");
  });

  it("serves no other file to any user", async () => {
    const files = await server.sql<{ id: string }[]>`select id from files where purpose <> 'doctor-photo' limit 5`;
    expect(files.length).toBeGreaterThan(0);
    for (const { id } of files) expect((await new Browser(server.url).get(`/photos/${id}`)).status).toBe(404);
    for (const id of ["x", "..%2f..%2fetc", "00000000-0000-4000-8000-000000000000"])
      expect((await new Browser(server.url).get(`/photos/${id}`)).status).toBe(404);
  });

  it("stays with the form while other fields are corrected, and cannot be used by others", async () => {
    const doctor = await verifiedDoctor();
    const wrong = await save(doctor, await formOf(doctor, { fullName: "" }), [await picture(), "me.jpg"]);
    expect(wrong.status).toBe(400);
    const id = /name="photoReceived" value="([^"]+)"/.exec(wrong.text)?.[1] ?? "";
    expect(wrong.text).toContain(`/files/${id}`);
    const attacker = await verifiedDoctor();
    const stolen = await save(attacker, await formOf(attacker, { photoReceived: id }));
    expect([stolen.status, errorsOf(stolen).photo]).toEqual([400, "This photo is no longer available. Choose it again."]);
    expect((await save(doctor, await formOf(doctor, { photoReceived: id }))).status).toBe(303);
    expect(await photoOf(doctor.userId)).toBe(id);
  });

  it.each<[string, () => Promise<Blob> | Blob, number]>([
    ["an HTML file", () => new Blob(["<html><script>1</script></html>"], { type: "image/png" }), 415],
    ["an SVG", () => new Blob(['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'], { type: "image/svg+xml" }), 415],
    ["a picture of 50,000 pixels a side", () => hugePng(50_000), 413],
    ["12 MB", () => new Blob([new Uint8Array(12 * 1024 * 1024)], { type: "image/jpeg" }), 413],
    ["a broken JPEG", async () => (await picture(600, 800)).slice(0, 900), 415],
  ])("refuses %s and preserves what was typed", async (_, make, status) => {
    const doctor = await verifiedDoctor();
    const answer = await save(doctor, await formOf(doctor, { about: "Typed before the picture." }), [await make(), "me.png"]);
    expect(answer.status).toBe(status);
    expect(errorsOf(answer).photo).toBeTruthy();
    expect(answer.text).toContain("Typed before the picture.");
    expect(await rowOf(doctor.userId)).toMatchObject({ photo_file_id: null, about: "Hearts of all ages." });
  });

  it("accepts a large photo of a phone", async () => {
    const doctor = await verifiedDoctor();
    const noise = Buffer.alloc(2400 * 3200 * 3, 1).map(() => Math.random() * 256);
    const bytes = await sharp(noise, { raw: { width: 2400, height: 3200, channels: 3 } })
      .jpeg({ quality: 60 })
      .toBuffer();
    expect(bytes.length).toBeGreaterThan(2_000_000);
    expect((await save(doctor, await formOf(doctor), [new Blob([new Uint8Array(bytes)]), "me.jpg"])).status).toBe(303);
    expect((await new Browser(server.url).get(`/photos/${await photoOf(doctor.userId)}`)).status).toBe(200);
  });

  it("removes its metadata", async () => {
    const doctor = await verifiedDoctor();
    const withPlace = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#445566" } })
      .jpeg()
      .withExif({ IFD0: { ImageDescription: "secret place" } })
      .toBuffer();
    await save(doctor, await formOf(doctor), [new Blob([new Uint8Array(withPlace)]), "me.jpg"]);
    const answer = await fetch(`${server.url}/photos/${await photoOf(doctor.userId)}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes("secret place")).toBe(false);
    expect((await sharp(bytes).metadata()).width).toBe(320);
  });
});

describe("verified fields", () => {
  it("wait for an administrator while patients book as before, and are shown after approval", async () => {
    const doctor = await verifiedDoctor();
    const admin = await loginAs(server, DEMO.admin);
    await save(doctor, await formOf(doctor, { fullName: "Dr. Asha Rani Kumar" }));
    expect(plain((await doctor.get("/doctor/profile")).text)).toContain("1 profile change is waiting for approval.");
    const view = plain((await doctor.get("/doctor/profile-view")).text);
    expect(view).toContain("Full name: your change is waiting for approval. Until then nothing changes, and patients can book you.");
    expect(view).toContain("Dr. Asha Rani Kumar");
    const detail = (await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).text;
    expect([detail.includes("Dr. Asha Rani Kumar"), detail.includes("Book Now")]).toEqual([false, true]);

    expect(plain((await admin.get("/admin")).text)).toContain("Profile changes");
    const list = plain((await admin.get("/admin/changes")).text);
    for (const part of ["Full name of Dr. Asha Rani", "Waiting less than an hour", "Old", "New", "Dr. Asha Rani Kumar"])
      expect(list).toContain(part);
    const id = await openChange(doctor.userId, "name");
    expect((await admin.get(`/admin/changes/${id}`)).status).toBe(200);
    const done = await admin.post(`/admin/changes/${id}`, { intent: "approve" });
    expect(plain((await admin.follow(done)).text)).toContain("Change approved: Full name of Dr. Asha Rani");
    expect((await new Browser(server.url).get(`/details/doctor/${doctor.userId}`)).text).toContain("Dr. Asha Rani Kumar");
    expect(plain((await doctor.get("/doctor/notifications")).text)).toContain(
      "The change to your name was approved and is now in your profile.",
    );
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${doctor.userId}`;
    await expect
      .poll(async () => (await server.outbox(email)).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Profile change approved · Nadi");
  });

  it("shows a name in Telugu and Hindi after approval, to readers of these languages", async () => {
    const doctor = await verifiedDoctor();
    const admin = await loginAs(server, DEMO.admin);
    const latin = await save(doctor, await formOf(doctor, { nameInTelugu: "Asha Rani", nameInHindi: "ఆశా" }));
    expect([latin.status, errorsOf(latin)]).toMatchObject([
      400,
      { nameInTelugu: "Write this name in Telugu letters.", nameInHindi: "Write this name in Hindi letters." },
    ]);
    const names = { nameInTelugu: "డా. ఆశాలత రాణి", nameInHindi: "डॉ. आशालता रानी" };
    expect((await save(doctor, await formOf(doctor, names))).status).toBe(303);
    const shown = async (language: string, x: number) =>
      plain((await new Browser(server.url).get(`/details/doctor/${doctor.userId}?lang=${language}&x=${x}`)).text);
    expect(await shown("te", 1)).not.toContain(names.nameInTelugu);
    const id = await openChange(doctor.userId, "name");
    const decision = plain((await admin.get(`/admin/changes/${id}`)).text);
    for (const part of ["Name in Telugu", names.nameInTelugu, "Name in Hindi", names.nameInHindi]) expect(decision).toContain(part);
    await admin.post(`/admin/changes/${id}`, { intent: "approve" });
    expect(await shown("te", 2)).toContain(names.nameInTelugu);
    expect(await shown("hi", 2)).toContain(names.nameInHindi);
    expect(await shown("en", 2)).not.toMatch(/ఆశాలత|आशालता/);
    const found = await new Browser(server.url).get(`/doctorspages/Cards-data?q=${encodeURIComponent("ఆశాలత")}&lang=te`);
    expect(plain(found.text)).toContain(names.nameInTelugu);
    expect(await formOf(doctor)).toMatchObject(names);
    for (const name of Object.values(names)) expect(plain((await doctor.get("/doctor/profile-view")).text)).toContain(name);
  });

  it("are refused only with a reason, which is shown to the doctor", async () => {
    const doctor = await verifiedDoctor();
    const admin = await loginAs(server, DEMO.admin);
    await save(doctor, await formOf(doctor, { councilNumber: "TSMC/1" }));
    const id = await openChange(doctor.userId, "council");
    const without = await admin.post(`/admin/changes/${id}`, { intent: "refuse" });
    expect([without.status, errorsOf(without).reason]).toEqual([400, "Tell the doctor why you refuse the change."]);
    await admin.post(`/admin/changes/${id}`, { intent: "refuse", reason: "The certificate is of APMC." });
    const view = plain((await doctor.get("/doctor/profile-view")).text);
    expect(view).toContain("Council registration: your change was not approved.");
    expect(view).toContain("Reason: The certificate is of APMC.");
    const again = await admin.post(`/admin/changes/${id}`, { intent: "approve" });
    expect([again.status, errorsOf(again)[""]]).toEqual([409, "This change has already been decided: Refused."]);
    expect(plain((await admin.get("/admin/changes?tab=decided")).text)).toContain("Council registration of Dr. Asha Rani");
  });

  it("can be withdrawn by the doctor only", async () => {
    const doctor = await verifiedDoctor();
    await save(doctor, await formOf(doctor, { fullName: "Dr. Slip" }));
    const change = (await openChange(doctor.userId, "name")) ?? "";
    const stranger = await verifiedDoctor();
    expect((await stranger.post("/doctor/profile/withdraw", { intent: "withdraw", change })).status).toBe(404);
    expect((await stranger.get("/doctor/profile-view")).text).not.toContain("Dr. Slip");
    const back = await doctor.follow(await doctor.post("/doctor/profile/withdraw", { intent: "withdraw", change }));
    expect(plain(back.text)).toContain("Change withdrawn.");
    expect(await openChange(doctor.userId, "name")).toBeUndefined();
    const late = await (await loginAs(server, DEMO.admin)).post(`/admin/changes/${change}`, { intent: "approve" });
    expect(late.status).toBe(409);
    expect((await doctor.post("/doctor/profile/withdraw", { change })).status).toBe(400);
    expect((await doctor.get("/doctor/profile/withdraw")).location).toBe("/doctor/profile-view");
  });

  it("are shown to administrators only, with masked numbers until a reason is given", async () => {
    const doctor = await verifiedDoctor();
    await save(
      doctor,
      await formOf(doctor, {
        bankName: "HDFC Bank",
        bankBranch: "Tenali",
        accountHolderName: "Asha",
        accountNumber: "50001112223",
        ifscCode: "hdfc0001234",
      }),
    );
    const id = await openChange(doctor.userId, "bank");
    const paths = [`/admin/changes/${id}`, "/admin/changes", `/admin/changes/${id}/reveal`];
    for (const who of [DEMO.reviewer, DEMO.patient]) {
      const other = await loginAs(server, who);
      for (const path of paths) {
        expect((await other.get(path)).status).toBe(303);
        expect((await other.post(path, { intent: "approve", reason: "Because" })).status).toBe(403);
      }
    }
    for (const path of paths) expect((await doctor.get(path)).status).toBe(303);
    const admin = await loginAs(server, DEMO.admin);
    for (const path of paths) expect((await admin.get(path)).text).not.toContain("50001112223");
    expect(plain((await admin.get(`/admin/changes/${id}`)).text)).toContain("••••••• 2223");
    const why = await admin.post(`/admin/changes/${id}/reveal`, { reason: "" });
    expect([why.status, why.text.includes("50001112223")]).toEqual([400, false]);
    const shown = await admin.post(`/admin/changes/${id}/reveal`, { reason: "To call the bank" });
    expect([shown.text.includes("50001112223"), shown.headers.get("cache-control")]).toEqual([true, "no-store"]);
    const [logged] = await server.sql`select details from audit_log where action = 'reveal-number' and person_id = ${doctor.userId}`;
    expect(logged?.details).toMatchObject({ number: "account", reason: "To call the bank" });
    expect((await admin.get("/admin/changes/00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect(server.output()).not.toContain("50001112223");
    const [{ email }] = await server.sql<[{ email: string }]>`select email from users where id = ${doctor.userId}`;
    await expect
      .poll(async () => (await server.outbox(email)).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Change of your bank account · Nadi");
  });
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["profile-change"]));
