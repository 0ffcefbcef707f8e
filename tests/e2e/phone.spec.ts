/** Two phones without an app: one books and cancels by message, the other takes the time. In a browser, with and without scripts. */
import { eq } from "drizzle-orm";
import { appointments, doctors, practices, users, waitlistEntries } from "#app/db/schema/index.ts";
import { instantInIndia } from "#app/lib/dates.ts";
import { hours } from "#app/lib/durations.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { dayFromNow, makeDoctor, makePatient, newPhone } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";

test("books in six messages, cancels by answering a reminder, and the offer that follows is taken by another phone", async ({
  page,
  server,
  logIn,
  hasJs,
}) => {
  const [lakshmi, rehana] = [newPhone(), newPhone()];
  const keyword = `RAO${lakshmi.slice(-4)}`;
  // No offer is sent at night.
  const noon = instantInIndia(dayFromNow(0), "12:00");
  server.clock.to(noon.getTime());
  const [date, time] = [dayFromNow(1), "08:00"];
  const doctor = await makeDoctor(server.db, { name: "Dr. Venkat Rao", slots: [{ date, time }] });
  await server.db.update(practices).set({ keyword }).where(eq(practices.id, doctor.id));
  const clinic = await makePlace(server.db);
  await server.db.update(doctors).set({ hospitalId: clinic.id }).where(eq(doctors.id, doctor.id));
  await addPlaceDoctor(server.db, clinic.id, doctor.id);
  const reception = await makeMember(server.db, clinic.id, "reception");

  const screen = page.getByRole("list", { name: "Messages" });
  const answers = screen.getByRole("listitem").filter({ hasText: "Nadi:" });
  const open = (phone: string, channel = "sms") => page.goto(`/dev/phone?phone=${encodeURIComponent(phone)}&channel=${channel}`);
  const write = async (text: string, answer: RegExp) => {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(answers.last()).toContainText(answer);
  };

  await open(lakshmi);
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await write(keyword, /Dr\. Venkat Rao/);
  await write("1", /To book, reply with the patient's name/);
  await write("Lakshmi Devi 34 F", /Request sent: Lakshmi,/);
  await expect(screen.getByRole("listitem")).toHaveCount(6);

  const waiting = await makePatient(server.db, { name: "Rehana", phone: rehana });
  await server.db.insert(waitlistEntries).values({
    ...{ patientId: waiting.id, doctorId: doctor.id, fromDate: date, untilDate: date },
    ...{ patientName: "Rehana", patientPhone: rehana, patientAge: 40, patientGender: "female" },
  });
  await open(rehana, "whatsapp");
  await write("WHEN", /You have no appointment/);

  // A reminder of the day before is sent for what was booked more than a day before.
  await server.db
    .update(appointments)
    .set({ createdAt: new Date(noon.getTime() - hours(10)) })
    .where(eq(appointments.patientPhone, lakshmi));
  await server.sql`insert into pgboss.job (name, data, policy) select name, '{}', policy from pgboss.queue where name = 'reminders'`;
  await open(lakshmi);
  await expect(async () => {
    await page.reload();
    await expect(answers.last()).toContainText("Your appointment:", { timeout: 1000 });
  }).toPass();
  await write("2", /Cancelled: /);

  await open(rehana, "whatsapp");
  await expect(async () => {
    await page.reload();
    await expect(answers.last()).toContainText("A time is free:", { timeout: 1000 });
  }).toPass();
  await expect(screen).not.toContainText("Lakshmi");
  await page.getByRole("button", { name: "Take it" }).click();
  await expect(answers.last()).toContainText("Booked: ");
  const rows = await server.db.select().from(appointments).where(eq(appointments.patientId, waiting.id));
  expect(rows).toMatchObject([{ date, time: `${time}:00`, status: "pending" }]);

  // What Nadi does not understand is answered by a member of the clinic.
  await write("Can I bring my mother too", /I pass this on to the clinic/);
  const [member] = await server.db.select({ email: users.email }).from(users).where(eq(users.id, reception.userId));
  await logIn({ role: "staff", email: member!.email! });
  await page.goto("/desk/messages");
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await page.getByRole("listitem").filter({ hasText: "Can I bring my mother too" }).getByRole("link").click();
  await page.getByLabel("Your answer").fill("Yes, bring her");
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Your answer is sent.")).toBeVisible();
  await open(rehana, "whatsapp");
  await expect(answers.last()).toContainText("Yes, bring her");
});
