/** A complete visit and an emergency in Telugu and Hindi, with JavaScript and without, with every text in the user's language. */
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { CATEGORIES, SPECIALTIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { readableNumber } from "#app/domains/guidance/emergency/dialable.ts";
import { codeMessage } from "#app/integrations/sms/templates.ts";
import { LANGUAGE_NAMES, type Language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { openFreeDay } from "../setup/calendar.ts";
import { faultsOfLayout } from "../setup/layout.ts";
import { DEMO, loginAs } from "../setup/people.ts";

/** The input of these two, each in their own script. */
const TYPED = {
  te: {
    locale: "te-IN",
    city: "గుంటూరు",
    doctor: "అంజలి వేమూరి",
    name: "రవి కుమార్",
    document: "పాత మందుల చీటీ",
    place: "విజయవాడ",
    nowhere: "ఘ్ఝుఠ్ఫిణ్ఘఠు",
  },
  hi: {
    locale: "hi-IN",
    city: "गुंटूर",
    doctor: "अंजलि वेमुरी",
    name: "रवि कुमार",
    document: "पुरानी दवा की पर्ची",
    place: "विजयवाड़ा",
    nowhere: "घ्झुठ्फिण्घठु",
  },
} as const;

/** Another test of this server gives the doctor another last name, which has no translation. */
const ANJALI = /Anjali Vemuri|అంజలి వేమూరి|अंजलि वेमूरी/;

const ZERO = { te: 0xc66, hi: 0x966 };
/** Converts "46" to "౪౬" or "४६". */
const digitsOf = (language: keyof typeof ZERO, plain: string) =>
  plain.replace(/\d/g, (digit) => String.fromCharCode(ZERO[language] + Number(digit)));

/** The logo is Latin in every language (docs/glossary.md), and names of specialties are data of the directory. */
const OUTSIDE = new Set(["Nadi", ...CATEGORIES, ...SPECIALTIES, ...SPECIALTY_CHIPS].map((name) => `English: "${name}"`));
const photo = () =>
  sharp({ create: { width: 600, height: 800, channels: 3, background: "#e8e4da" } })
    .jpeg()
    .toBuffer();

for (const language of ["te", "hi"] as const satisfies Language[]) {
  const own = TYPED[language];
  const options = { locale: language };
  const heading = (page: Page, name: string): Locator => page.getByRole("heading", { name, exact: true });
  const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
  /** Checks a page of the journey: all text in the language, none in another. */
  async function speaks(page: Page, what: string) {
    await expect(page.locator("html"), what).toHaveAttribute("lang", language);
    expect(
      (await faultsOfLayout(page, language)).filter((fault) => fault.startsWith("English:") && !OUTSIDE.has(fault)),
      what,
    ).toEqual([]);
  }

  test.describe(language, () => {
    test.use({ locale: own.locale, viewport: { width: 360, height: 740 } });

    test("from the first page to a visit, and logged out again", async ({ page, server, hasJs, faults }) => {
      const phone = newPhone();

      // A visitor whose browser requests the language. The choice is stored.
      await page.goto("/");
      await expect(page.getByText(m.common_splash_1({}, options))).toBeVisible();
      await speaks(page, "splash");
      await page.getByRole("link", { name: m.common_splash_skip({}, options) }).click();
      await page.waitForURL("**/choose-role");
      await speaks(page, "choose role");
      await button(page, LANGUAGE_NAMES[language]).click();
      await expect(heading(page, m.common_role_title({}, options))).toBeVisible();
      await page.getByRole("link", { name: m.common_role_patient_hint({}, options) }).click();

      // The login, typed in digits of the language. The SMS is in the language too.
      await page.waitForURL("**/dual-patient");
      const mobile = page.getByLabel(m.accounts_mobile_label({}, options));
      await mobile.fill(digitsOf(language, "12345"));
      await button(page, m.accounts_send_code({}, options)).click();
      await expect(page.locator(".err", { hasText: m.accounts_mobile_invalid({}, options) }).first()).toBeVisible();
      await speaks(page, "refused number");
      await mobile.fill(digitsOf(language, phone.slice(3)));
      await button(page, m.accounts_send_code({}, options)).click();
      const code = page.getByLabel(m.accounts_code_label({}, options));
      await expect(code).toBeVisible();
      await speaks(page, "code");
      const [message] = await server.outbox(phone);
      const sent = await server.lastCode(phone);
      expect(message!.body).toBe(codeMessage({ to: phone, code: sent, minutes: 2, host: "localhost", language }).body);
      await code.fill(digitsOf(language, sent));
      await button(page, m.accounts_verify({}, options)).click();
      await page.waitForURL("**/patient-dashboard");
      await expect(page.getByText(m.accounts_otp_verified({}, options)).first()).toBeVisible();
      await speaks(page, "dashboard");
      const [patient] = await server.sql<{ id: string; language: string }[]>`select id, language from users where phone = ${phone}`;
      expect(patient!.language).toBe(language);

      // A city and a doctor, typed in the user's script.
      await page.locator("a.city").click();
      await page.waitForURL("**/location");
      await expect(heading(page, m.location_title({}, options))).toBeVisible();
      const city = page.locator("main input[type=text], main input[type=search], main [role=combobox]").first();
      if (hasJs) await page.getByRole("combobox").waitFor();
      await city.fill(own.city);
      await city.press("Enter");
      if (!hasJs) {
        await speaks(page, "cities");
        await page.getByRole("button", { name: "Guntur, Andhra Pradesh" }).click();
      }
      await page.waitForURL("**/patient-dashboard");
      await expect(page.locator("a.city")).toContainText(own.city);
      await page.locator("#q").fill(own.doctor);
      await page.locator("#q").press("Enter");
      await page.waitForURL("**/doctorspages/Cards-data?q=*");
      await speaks(page, "doctors");
      await page.getByRole("link", { name: ANJALI }).click();
      await expect(page.locator("h1")).toContainText(ANJALI);
      await speaks(page, "doctor");
      await page.getByRole("link", { name: m.doctors_book_now({}, options) }).click();

      // A day and a time far enough ahead to be changed.
      await page.waitForURL("**/patient/appointments/datetime?doctorId=*");
      await speaks(page, "days");
      const column = (hasJs ? 0 : 2) + (language === "te" ? 3 : 4);
      await openFreeDay(page, column);
      await page.waitForURL(/date=/);
      const times = page.locator("input[name=time]:not([disabled])");
      if (hasJs) {
        // The browser's validation message is in the language of the page, and disappears once a time is chosen.
        await button(page, m.accounts_continue({}, options)).click();
        expect(await times.first().evaluate((time: HTMLInputElement) => time.validationMessage)).toBe(m.ui_choose_time({}, options));
      }
      await times.nth(2).locator("..").click();
      await speaks(page, "times");
      await button(page, m.accounts_continue({}, options)).click();
      await page.waitForURL("**/patient/appointments/patient-detail?*");

      // The patient's details, with a document.
      await page.getByText(m.appointments_extras({}, options)).click();
      await page.getByLabel(m.appointments_document_about({}, options)).fill(own.document);
      await page.locator("input[type=file]").setInputFiles({ name: "document.jpg", mimeType: "image/jpeg", buffer: await photo() });
      if (!hasJs) await button(page, m.appointments_documents_upload({}, options)).click();
      await expect(page.locator("li[data-file]")).toBeVisible();
      await page.getByLabel(m.appointments_name({}, options), { exact: true }).fill(own.name);
      await button(page, m.appointments_book({}, options)).last().click();
      await expect(page.locator(".err", { hasText: m.family_age_required({}, options) }).first()).toBeVisible();
      await speaks(page, "details refused");
      await page.getByLabel(m.appointments_age({}, options)).fill(digitsOf(language, "46"));
      await page.getByLabel(m.appointments_phone({}, options), { exact: true }).fill(digitsOf(language, phone.slice(3)));
      await page.getByLabel(m.common_gender_male({}, options), { exact: true }).check();
      await button(page, m.appointments_book({}, options)).last().click();

      // The payment. Banks read its note, so it is in English.
      await page.waitForURL("**/patient/appointments/payment/*");
      await expect(heading(page, m.appointments_booked({}, options))).toBeVisible();
      await speaks(page, "payment");
      // This machine has no UPI app.
      faults.allow(/registered handler/);
      await page.getByRole("button", { name: "UPI" }).click();
      await expect(heading(page, m.payments_wait_upi({}, options))).toBeVisible();
      await speaks(page, "payment begun");
      const upi = new URL((await page.locator('a[href^="upi:"]').getAttribute("href"))!);
      expect(upi.searchParams.get("tn")).toMatch(/^Visit to Dr\. Anjali Vemuri on \d{1,2} [A-Z][a-z]{2} \d{4}$/);
      await page.getByRole("button", { name: m.payments_wait_clinic({}, options) }).click();
      await page.waitForURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);
      await speaks(page, "appointment");
      await page.goto("/patient/calendar");
      const bookings = page.locator("section", { has: heading(page, m.appointments_bookings({}, options)) }).getByRole("listitem");
      await expect(bookings).toHaveCount(1);
      await expect(bookings).toContainText(m.appointments_status_pending({}, options));
      await expect(bookings).toContainText(m.appointments_reason_default({}, options));
      await speaks(page, "calendar");
      const [visit] = await server.sql<{ id: string; name: string; age: number; phone: string }[]>`
        select id, patient_name as name, patient_age as age, patient_phone as phone from appointments where patient_id = ${patient!.id}`;
      expect(visit).toMatchObject({ name: own.name, age: 46, phone });

      // Another time.
      await bookings.getByRole("link", { name: m.appointments_reschedule({}, options) }).click();
      await page.waitForURL(/\/reschedule$/);
      await openFreeDay(page, column + 2);
      await page.waitForURL(/reschedule\?.*date=/);
      await times.nth(3).locator("..").click();
      await speaks(page, "other times");
      await button(page, m.appointments_reschedule_yes({}, options)).click();
      await page.waitForURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);

      // The doctor, who reads English, accepts. The patient reads it in their language.
      const doctor = await loginAs(server, DEMO.doctor);
      expect((await doctor.post(`/doctor/appointments/${visit!.id}/accept`)).status).toBe(303);
      await page.goto("/patient/notifications");
      await expect(page.getByText(m.notifications_accepted_title({}, options)).first()).toBeVisible();
      await speaks(page, "notifications");
      expect((await doctor.get("/doctor/notifications")).text).toContain(m.notifications_booked_title({}, { locale: "en" }));

      // Cancelled in the end, and logged out.
      await page.goto("/patient/calendar");
      await expect(bookings).toContainText(m.appointments_status_accepted({}, options));
      await bookings.getByRole("link", { name: m.appointments_cancel({}, options) }).click();
      await expect(heading(page, m.appointments_cancel_question({}, options))).toBeVisible();
      await speaks(page, "cancel");
      await button(page, m.appointments_cancel_yes({}, options)).click();
      await page.waitForURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);
      await page.goto("/patient/calendar?tab=past");
      await expect(bookings).toContainText(m.appointments_status_cancelled({}, options));
      await speaks(page, "cancelled");
      await page.goto("/logout");
      await speaks(page, "log out");
      await button(page, m.ui_yes({}, options)).click();
      await page.waitForURL("**/choose-role");
      await expect(page.getByText(m.accounts_logged_out({}, options)).first()).toBeVisible();
      await speaks(page, "logged out");
    });

    test("an emergency with a typed place", async ({ page, server }) => {
      await page.goto("/patient/emergency-contact");
      for (const line of [
        m.emergency_108({}, options),
        m.emergency_112({}, options),
        m.emergency_wait_breathe({}, options),
        m.emergency_wait_press({}, options),
        m.emergency_wait_bleed({}, options),
      ])
        await expect(page.getByText(line)).toBeVisible();
      await speaks(page, "idle");
      await page.locator('form:has([value="press"]) button').click();
      const place = page.getByLabel(m.emergency_place_label({}, options));
      await place.fill(own.place);
      await speaks(page, "where");
      await button(page, m.emergency_place_find({}, options)).click();
      await expect(page.getByText(m.emergency_contacting({ total: "3" }, options))).toBeVisible();
      await speaks(page, "contacting");
      const call = page.locator("main a.btn.danger[href^='tel:']");
      const number = readableNumber((await call.getAttribute("href"))!.slice(4));
      await expect(call).toHaveText(m.emergency_call({ phone: number }, options));

      // The language switch is available, and nothing is lost.
      const first = await page.locator("#now").textContent();
      await button(page, "English").click();
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await expect(page.locator("#now")).toHaveText(first!);
      await button(page, LANGUAGE_NAMES[language]).click();
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      server.clock.advance(31_000);
      await page.reload();
      await expect(page.getByText(m.emergency_now({ number: "2", total: "3" }, options))).toBeVisible();
      await button(page, m.emergency_stop({}, options)).click();
      await expect(heading(page, m.emergency_stopped_title({}, options))).toBeVisible();
      await speaks(page, "completed");
      await button(page, m.emergency_start_over({}, options)).click();
      await page.locator('form:has([value="press"]) button').click();
      await place.fill(own.nowhere);
      await button(page, m.emergency_place_find({}, options)).click();
      await expect(page.getByRole("alert")).toContainText(m.emergency_error_unknown_place({}, options));
      await speaks(page, "unknown place");
      server.clock.set(0);
    });
  });
}
