import { expect, it } from "vitest";
import { withLanguage } from "#app/lib/language.server.ts";
import { paise } from "#app/lib/money.ts";
import { paymentNote } from "./payment-note.server.ts";
import { upiLink } from "./payment-options.ts";

it.each(["en", "te", "hi"] as const)("is in English for banks, in every language of the user: %s", (language) =>
  expect(withLanguage(language, () => paymentNote("Dr. Anjali Vemuri", "2026-11-22"))).toBe("Visit to Dr. Anjali Vemuri on 22 Nov 2026"),
);

it.each(["Dr. Venkata Satyanarayana Subrahmanyam Chowdary", "డాక్టర్ వెంకట సత్యనారాయణ సుబ్రహ్మణ్యం చౌదరి", `Dr. ${"\u{20b9f}".repeat(40)}`])(
  "has at most 50 characters and always the date: %s",
  (doctor) => {
    const note = paymentNote(doctor, "2026-11-22");
    expect(note).toMatch(/^Visit to (Dr|డా).* on 22 Nov 2026$/u);
    expect(note.length).toBeLessThanOrEqual(50);
    const link = upiLink({ linkTemplate: undefined, upiVpa: "a@b", upiName: "N" }, { reference: "r", fee: paise(100), note });
    expect(new URL(link).searchParams.get("tn")).toBe(note);
  },
);
