/** The list of notifications in a browser, with JavaScript and without. */
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("a notification is deleted and brought back, with the focus at its place", async ({ page, logIn, hasJs, server }) => {
  const { userId } = await logIn(DEMO.patient);
  const params = { doctor: "Dr. Undo", patient: "Lakshmi", date: "2026-11-22", time: "10:30" };
  await server.sql`insert into notifications (user_id, kind, type, params, target_path)
    values (${userId}, 'appointment-accepted', 'success', ${JSON.stringify(params)}::jsonb, '/patient/calendar')`;
  await page.goto("/patient/notifications");
  await expect(page.getByRole("heading", { level: 2, name: "Today" })).toBeVisible();
  const entry = page.getByRole("listitem").filter({ hasText: "Dr. Undo will see Lakshmi" });
  await entry.getByRole("button", { name: "Delete: Appointment accepted" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toBeVisible();
  await expect(entry).toHaveCount(0);
  await expect(page.getByText("Notification deleted")).toBeVisible();
  await expect(undo).toBeFocused();
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await undo.click();
  await expect(entry).toBeVisible();
  await expect(entry.getByRole("button", { name: /^Appointment accepted/ })).toBeFocused();
  await server.sql`delete from notifications where params->>'doctor' = 'Dr. Undo'`;
});
