import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { MEDICINE_FORMS } from "#app/lib/vocabulary.ts";
import { ADVICE } from "./advice.ts";
import { adviceWord, amountWord, doseSentence, foodOf, unitWord } from "./dose-sentence.ts";
import { DOSE_LIMITS, type Dose, draftOfLine, EMPTY_LINE, type MedicineLine, readAmount, readLine, spreadLine, USUAL } from "./line.ts";
import { problemWord } from "./problem-words.ts";

const AMOUNTS = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4];
/** All 6,561 doses. */
const DOSES: Dose[] = AMOUNTS.flatMap((a) => AMOUNTS.flatMap((b) => AMOUNTS.flatMap((c) => AMOUNTS.map((d): Dose => [a, b, c, d]))));
const line = (over: Partial<MedicineLine> = {}): MedicineLine => ({
  name: "Paracetamol",
  brand: null,
  strength: "500 mg",
  form: "tablet",
  route: "mouth",
  dose: [0, 0, 0, 0],
  everyNDays: 1,
  food: "after",
  days: 5,
  quantity: null,
  asNeeded: false,
  substitution: true,
  words: null,
  ...over,
});

/** Every pattern in a short form: each amount of each form, each time alone, a sentence of each pattern of times, and a hash of all sentences. */
function goldenOf(locale: Language) {
  const say = (over: Partial<MedicineLine>) => doseSentence(line(over), locale);
  const times = DOSES.filter((dose) => dose.every((amount) => amount === 0 || amount === 1));
  return {
    amounts: Object.fromEntries(
      MEDICINE_FORMS.map((form) => [form, AMOUNTS.slice(1).map((amount) => say({ form, dose: [amount, 0, 0, 0], days: null }))]),
    ),
    times: times.map((dose) => say({ dose })),
    often: [1, 2, 3, 7, 30].map((everyNDays) => say({ everyNDays, dose: [1, 0, 0, 0], days: 28 })),
    foods: (["after", "before", "any"] as const).map((food) => say({ food, dose: [1, 0, 0, 1] })),
    routes: (["tongue", "skin", "eye", "ear", "nose", "injection", "inhaled", "other"] as const).map((route) =>
      say({ route, dose: [1, 0, 0, 0] }),
    ),
    needed: [
      say({ asNeeded: true, days: null, food: "any", route: "tongue", quantity: 10 }),
      say({ asNeeded: true, dose: [1, 0, 0, 1], days: 3 }),
    ],
    days: [1, 2, 30, 365].map((days) => say({ days, dose: [1, 0, 0, 0] })),
    all: createHash("sha256")
      .update(DOSES.map((dose) => say({ dose })).join("\n"))
      .digest("hex"),
  };
}

const LARGE = [0.25, 0.5, 2.25, 3.5, 4.5, 10, 12.5, 100];
/** What is signed now: each form with its own route, and amounts up to its largest one. */
const goldenNow = (locale: Language) =>
  Object.fromEntries(
    MEDICINE_FORMS.map((form) => {
      const { most, step } = DOSE_LIMITS[form];
      const amounts = LARGE.filter((amount) => amount <= most && Number.isInteger(amount / step));
      const say = (amount: number) =>
        doseSentence(
          line({ form, route: USUAL[form] ?? "mouth", dose: [amount, 0, 0, 0], food: "before", days: null, wording: 2 }),
          locale,
        );
      return [form, { unit: unitWord(form, locale), sentences: amounts.map(say) }];
    }),
  );

describe("the sentence of a dose", () => {
  // After a change on purpose: `vitest -u`.
  it("is the golden one for all dose patterns", async () => {
    const golden = Object.fromEntries(LANGUAGES.map((locale) => [locale, goldenOf(locale)]));
    await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot("dose-sentence.golden.json");
  });
  it("is the golden one for what is signed now", async () => {
    const golden = Object.fromEntries(LANGUAGES.map((locale) => [locale, goldenNow(locale)]));
    await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot("dose-sentence-now.golden.json");
  });
  it("stays as it was signed before units, food and fractions were written", () => {
    const insulin = { form: "insulin", route: "injection", dose: [4.5, 0, 0, 0], food: "before", days: null } as const;
    expect(doseSentence(line(insulin), "en")).toBe("Morning 4.5 units");
    expect(doseSentence(line({ ...insulin, wording: 2 }), "en")).toBe("Morning 4½ units, before food");
    const syrup = { form: "syrup" } as const;
    expect([amountWord(2, syrup), amountWord(2, { ...syrup, wording: 2 })]).toEqual(["2", "2 spoons (5 ml each)"]);
  });
  it.each(LANGUAGES)("names each amount at its own time, and no other: %s", (locale) => {
    const empty = doseSentence(line({ dose: [0, 0, 0, 0] }), locale);
    const alone = [0, 1, 2, 3].map((place) =>
      AMOUNTS.map((amount) => {
        const dose = [0, 0, 0, 0];
        dose[place] = amount;
        const sentence = doseSentence(line({ dose: dose as unknown as Dose }), locale);
        return amount === 0 ? null : sentence.slice(0, sentence.toLowerCase().indexOf(empty.toLowerCase()) - 2).toLowerCase();
      }),
    );
    // No two amounts and no two times have the same words.
    const words = alone.flat().filter((part) => part !== null);
    expect(new Set(words).size).toBe(32);
    for (const dose of DOSES) {
      const parts = dose.flatMap((amount, place) => alone[place]![AMOUNTS.indexOf(amount)] ?? []);
      expect(doseSentence(line({ dose }), locale).toLowerCase()).toBe([...parts, empty.toLowerCase()].join(", "));
    }
  });
  it("is never daily for a weekly medicine", () => {
    expect(doseSentence(line({ everyNDays: 7, dose: [1, 0, 0, 0], days: 28 }), "en")).toBe("Once a week, morning 1, after food, 28 days");
  });
});

it("names the route unless the form has it anyway", () => {
  const say = (form: MedicineLine["form"], route: MedicineLine["route"]) => doseSentence(line({ form, route, dose: [1, 0, 0, 0] }), "en");
  for (const [form, usual] of [
    ["inhaler", "inhaled"],
    ["injection", "injection"],
    ["cream", "skin"],
  ] as const) {
    const named = say("other", usual).split(", ");
    // What a form without a unit says more: the amount is written in another way, and the route is named.
    expect(say(form, usual).split(", "), form).toHaveLength(named.length - 1);
    expect(say(form, "eye").split(", "), form).toHaveLength(named.length);
  }
});
it("speaks of food for medicines that are swallowed, and of any food only at a time", () => {
  const say = (over: Partial<MedicineLine>) => doseSentence(line({ days: null, ...over }), "en").split(", ");
  expect(say({ food: "any", dose: [1, 0, 0, 0] })).toHaveLength(2);
  expect(say({ food: "any", asNeeded: true })).toHaveLength(1);
  expect(say({ food: "after", asNeeded: true })).toHaveLength(2);
  expect(say({ food: "after", asNeeded: true, route: "other" })).toHaveLength(1);
  const injected = line({ route: "injection", dose: [1, 0, 0, 0], wording: 2 });
  expect([foodOf({ ...injected, food: "before" }), foodOf({ ...injected, food: "any" })]).toEqual(["before", null]);
});
it("writes amounts of a table, and advice of the list", () => {
  const words = AMOUNTS.map((amount) => amountWord(amount, { form: "tablet", wording: 2 }));
  expect(words).toEqual(["0", "½", "1", "1½", "2", "2½", "3", "3½", "4"]);
  // In English on a page in Telugu, as the other words of a prescription.
  expect(withLanguage("te", () => amountWord(0.5, { form: "tablet" }))).toBe("½");
  expect([unitWord("tablet", "en"), unitWord("other", "te")]).toEqual(["", ""]);
  for (const language of LANGUAGES) {
    const words = ADVICE.map((key) => adviceWord(key, language));
    expect(new Set(words).size).toBe(ADVICE.length);
    expect(words).not.toContain("");
    expect(adviceWord("toString", language)).toBe("");
  }
  expect(adviceWord("rest", "te")).not.toBe(adviceWord("rest", "en"));
});

describe("a typed medicine", () => {
  it.each([
    ["", 0],
    ["½", 0.5],
    ["1/2", 0.5],
    ["0.5", 0.5],
    [".5", 0.5],
    ["1½", 1.5],
    ["1 1/2", 1.5],
    ["౧", 1],
    ["4", 4],
    ["¼", 0.25],
    ["3/4", 0.75],
    ["1 ¼", 1.25],
    ["10", 10],
    ["10.5", null],
    ["0.3", null],
    ["-1", null],
    ["1-0-1", null],
    ["NaN", null],
    ["1e0", null],
    ["1.000", null],
    ["1,000", null],
    ["1,5", 1.5],
  ])("has the amount %j as %j", (typed, amount) => expect(readAmount(typed)).toBe(amount));
  it("has doses of its form, and says which and how many days are allowed", () => {
    expect([readAmount("12", "drops"), readAmount("½", "drops"), readAmount("25", "drops")]).toEqual([12, null, null]);
    expect([readAmount("24", "insulin"), readAmount("7.5", "liquid"), readAmount("¼", "capsule")]).toEqual([24, 7.5, null]);
    const read = readLine({ ...EMPTY_LINE, name: "Eye drops", form: "drops", morning: "30", days: "400" });
    expect(read).toEqual({ problems: { morning: "dose", days: "days" } });
    expect(problemWord("dose", "drops")).toBe("Enter a whole number from 0 to 20.");
    expect(problemWord("days", "drops")).toBe("Enter 1 to 365 days.");
    expect(doseSentence(line({ form: "insulin", route: "injection", dose: [12, 0, 0, 8], days: null }), "en")).toBe(
      "Morning 12 units, night 8 units",
    );
    // What is signed is typed again as it was.
    expect(draftOfLine(line({ dose: [0.25, 0, 1.75, 10] }))).toMatchObject({ morning: "¼", noon: "", evening: "1¾", night: "10" });
  });
  it("is not a strength typed as a dose, nor ml typed as spoons", () => {
    const of = (form: MedicineLine["form"], morning: string) => readLine({ ...EMPTY_LINE, name: "Vitamin D", form, morning, days: "5" });
    for (const typed of ["60,000", "1,00,000", "1,000", "1000"])
      for (const form of ["other", "liquid", "insulin"] as const)
        expect(of(form, typed), typed).toEqual({ problems: { morning: "thousands" } });
    expect(problemWord("thousands", "liquid")).toContain("0 to 100. Write an amount such as 60,000 IU under Strength.");
    expect(of("syrup", "5")).toEqual({ problems: { morning: "dose" } });
    expect(problemWord("dose", "syrup")).toMatch(/^Enter 0 to 4 spoons of 5 ml.*Liquid \(ml\)/);
  });
  it("takes the route of its form instead of the mouth", () => {
    const routeOf = (form: MedicineLine["form"], route: string) => {
      const read = readLine({ ...EMPTY_LINE, name: "Medicine", form, route, morning: "1", days: "5" });
      return read.problems ? null : read.line.route;
    };
    expect(routeOf("insulin", "mouth")).toBe("injection");
    expect(routeOf("ointment", "mouth")).toBe("skin");
    expect(routeOf("ointment", "eye")).toBe("eye");
    expect(routeOf("tablet", "mouth")).toBe("mouth");
  });
  it("needs a name, a dose and days", () => {
    expect(readLine({ ...EMPTY_LINE, strength: "5 mg" })).toEqual({ problems: { name: "missing", morning: "no-dose", days: "missing" } });
    expect(readLine({ ...EMPTY_LINE, name: "Isosorbide dinitrate", asNeeded: "on" })).toMatchObject({
      line: { asNeeded: true, days: null },
    });
  });
});

describe("what is typed in one go", () => {
  const spread = (typed: Partial<typeof EMPTY_LINE>) => spreadLine({ ...EMPTY_LINE, ...typed });
  it.each([
    ["Paracetamol 500 mg", "Paracetamol", "500 mg"],
    ["Vitamin D3 60,000 IU", "Vitamin D3", "60,000 IU"],
    ["Amoxicillin 250mg/5 ml", "Amoxicillin", "250mg/5 ml"],
    ["Clobetasol 0.05%", "Clobetasol", "0.05%"],
    ["Vitamin B12", "Vitamin B12", ""],
    ["Insulin 30/70", "Insulin 30/70", ""],
    ["Insulin glargine 100 units/ml", "Insulin glargine", "100 units/ml"],
    ["500 mg", "500 mg", ""],
  ])("%s: a strength after the name is the strength", (typed, name, strength) => {
    expect(spread({ name: typed })).toMatchObject({ name, strength });
  });
  it.each([
    "Paracetamol 120 mg per 5 ml",
    "Paracetamol syrup per 5 ml",
    "Paracetamol syrup 5 ml",
    "Paracetamol120mg 5 mg",
    "Co-trimoxazole 160 / 800 mg",
    "Co-trimoxazole 160/800 mg",
    "Levodopa 100 mg / 25 mg",
    "Levodopa100 25 mg",
    "Ibuprofen 400 mg + 325 mg",
    "Ibuprofen plus 325 mg",
    "Ibuprofen + paracetamol 325 mg",
    "Amoxicillin 1 000 mg",
    "Amoxicillin 250 - 500 mg",
    "Amoxicillin- 500 mg",
    "Insulin glargine 10 units",
    "Insulin glargine 10 IU",
    "Insulin 30/70 40 IU",
  ])("%s: stays whole, as the last number may be a part of the strength, or a dose", (name) => {
    expect(spread({ name })).toMatchObject({ name, strength: "" });
  });
  it.each([
    ["1-0-1", ["1", "0", "", "1"]],
    ["½ – 0 – ½", ["½", "0", "", "½"]],
    ["1/2-1/2-1/2", ["1/2", "1/2", "", "1/2"]],
    ["1-0-1/2", ["1", "0", "", "1/2"]],
    ["1½-0-1", ["1½", "0", "", "1"]],
    ["1-0-0-1", ["1", "0", "0", "1"]],
    ["1-1", ["1-1", "", "", ""]],
    ["2", ["2", "", "", ""]],
  ])("%s: the doses of a day", (morning, doses) => {
    const line = spread({ morning });
    expect([line.morning, line.noon, line.evening, line.night]).toEqual(doses);
  });
  it.each(["1-1/2-0-1", "1-1/2-0", "2-1/2-0-1/2", "1-½-0-1", "1 – 1/2 – 0 – 1", "0-1-½", "1-.5-0-1", "౧-½-0-1"])(
    "%s: may be one and a half, and is refused",
    (morning) => {
      const line = spread({ name: "Prednisolone", morning, days: "5" });
      expect(line).toMatchObject({ morning, noon: "", evening: "", night: "" });
      expect(readLine(line)).toEqual({ problems: { morning: "dose" } });
    },
  );
  it("changes no field that is filled in", () => {
    const line = { ...EMPTY_LINE, name: "Paracetamol 500 mg", strength: "650 mg", morning: "1-0-1", night: "2" };
    expect(spreadLine(line)).toEqual(line);
  });
});
