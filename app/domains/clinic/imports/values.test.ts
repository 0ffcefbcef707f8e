import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemesOf } from "#app/lib/graphemes.ts";
import { type DateFacts, dateOrderOf, guessColumns, noteDate } from "./columns.ts";
import { differencesOf, findPatient, type KnownPerson, People, placePatient } from "./match.ts";
import { readAppointment, readPatient } from "./rows.ts";
import { nameKey, readAmount, readBlood, readBorn, readDate, readGender, readName, readPhone, readStatus, readTime } from "./values.ts";

const today = "2026-11-28";
const of = { order: "dmy" as const, today };

describe("phones", () => {
  it.each([
    ["9848012345", "+919848012345", false],
    ["09848012345", "+919848012345", false],
    ["+91 98480 12345", "+919848012345", false],
    ["919848012345.0", "+919848012345", false],
    ["9.19848012345E+11", "+919848012345", false],
    ["౯౮౪౮౦౧౨౩౪౫", "+919848012345", false],
    ["98490-11111 / 0866-2571", "+919849011111", true],
    ["0866-2571, 98490 11111", "+919849011111", true],
    ["9848012345 9000000121", "+919848012345", true],
  ])("reads %s", (typed, phone, others) => expect(readPhone(typed)).toEqual({ phone, others }));
  it.each([
    ["98480 1234", "phone-short"],
    ["984801234567890", "phone-long"],
    ["0866 247 4301", "phone-not-mobile"],
    ["9.19E+11", "phone-shortened"],
  ])("explains why %s is none", (typed, problem) => expect(readPhone(typed)).toEqual({ problem }));
  it("has none for an empty cell", () => expect([readPhone(""), readPhone(" – ")]).toEqual([null, null]));
});

describe("names", () => {
  it("keeps eighty Telugu characters, and puts a name with line breaks on one line", () => {
    const long = "లక్ష్మీప్రసన్నాదేవి ".repeat(10).trim();
    expect(graphemesOf(long).length).toBeGreaterThanOrEqual(79);
    expect(readName(long)).toBe(long);
    expect(readName(" B.\nRamana \t Rao 🙏")).toBe("B. Ramana Rao 🙏");
  });
  it.each([
    ["", "name-missing"],
    ["12345", "name-missing"],
    ['=HYPERLINK("http://x","Ramesh")', "name-formula"],
    ["x".repeat(121), "name-long"],
  ])("explains why %s is none", (typed, problem) => expect(readName(typed)).toEqual({ problem }));
  it("compares names without case, dots and title", () => {
    expect(nameKey("Smt. Lakshmi  Devi.")).toBe(nameKey("LAKSHMI DEVI"));
    expect(nameKey("Lakshmi P.")).not.toBe(nameKey("Lakshmi Prasanna Devi"));
  });
});

describe("ages and birth dates", () => {
  it.each([
    ["46", "1980-05-28", true],
    ["45Y", "1981-05-28", true],
    ["45/F", "1981-05-28", true],
    ["45 సంవత్సరాలు", "1981-05-28", true],
    ["७ महीने", "2026-04-13", true],
    ["7 months", "2026-04-13", true],
    ["3y 2m", "2023-09-13", true],
    ["10 days", "2026-11-18", true],
    ["1984", "1984-07-01", true],
    ["02/03/1984", "1984-03-02", false],
    ["2-3-84", "1984-03-02", false],
    ["1984-03-02", "1984-03-02", false],
    ["about 1980-05-28", "1980-05-28", true],
    ["2 Mar 1984", "1984-03-02", false],
  ])("reads %s", (typed, date, about) => expect(readBorn(typed, of)).toEqual({ date, about }));
  it("reads the month first when the file does", () =>
    expect(readBorn("02/03/1984", { order: "mdy", today })).toEqual({ date: "1984-02-03", about: false }));
  it.each([
    ["210", "age-over"],
    ["31/02/1990", "date-not-real"],
    ["13/25/1990", "date-other-order"],
    ["28/11/2027", "birth-future"],
    ["soon", "date-unclear"],
  ])("explains why %s is none", (typed, problem) => expect(readBorn(typed, of)).toEqual({ problem }));
  it("a bare age is that age today", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 119 }), (age) => {
        const born = readBorn(String(age), of);
        const year = Number((born as { date: string }).date.slice(0, 4));
        expect([2026 - age, 2025 - age]).toContain(year);
      }),
    ));
});

it.each([
  ["10.30", "10:30"],
  ["22:30", "22:30"],
  ["10-30 am", "10:30"],
  ["10:30 PM", "22:30"],
  ["9 pm", "21:00"],
  ["0.4375", "10:30"],
  ["10:30:15", "10:30"],
  ["10:30:00.000", "10:30"],
  ["10.3", "10:30"],
  ["9.0", "09:00"],
])("reads the time %s", (typed, time) => expect(readTime(typed)).toBe(time));

it("reads the time in a date of a database", () => {
  const read = readAppointment(["2026-11-22 10:30:00.000", "Sita"], { mapping: ["date", "name"], ...of });
  expect(read).toMatchObject({ values: { date: "2026-11-22", time: "10:30" } });
});

it("joins the parts of a name, and prefers a birth date to the age beside it", () => {
  const mapping = ["name", "name", "born", "born"] as const;
  const born = { date: "1984-03-02", about: false };
  expect(readPatient(["Sita", "Devi", "42", "02/03/1984"], { mapping, ...of })).toMatchObject({ values: { name: "Sita Devi", born } });
});

it("refuses a row with undecodable characters, and cuts no character in two", () => {
  expect(readPatient(["Jos\uFFFD"], { mapping: ["name"], ...of })).toEqual({ problem: "characters-unreadable" });
  const read = readAppointment(["2026-11-02", "Sita", `${"x".repeat(119)}🙏`], { mapping: ["date", "name", "doctor"], ...of });
  expect(read).toMatchObject({ values: { doctor: "x".repeat(119) }, notices: ["text-cut"] });
});

it("reads words of gender, blood group and status in three languages", () => {
  expect(["F", "female", "స్త్రీ", "महिला", "M", "పురుషుడు", "पुरुष", "x"].map(readGender)).toEqual([
    ...["female", "female", "female", "female", "male", "male", "male"],
    null,
  ]);
  expect(["O+", "B pos", "AB-", "A +ve", "o positive", "C+"].map(readBlood)).toEqual(["O+", "B+", "AB-", "A+", "O+", null]);
  expect(["Booked", "done", "No show", "రద్దు", "नहीं आए"].map(readStatus)).toEqual(["booked", "seen", "no-show", "cancelled", "no-show"]);
  expect(readStatus("???")).toEqual({ problem: "status-unknown" });
  expect(["₹1,200.50", "Rs 500/-", ""].map(readAmount)).toEqual([120_050, 50_000, null]);
});

it("reads a date column that lost its format", () => expect(readDate("46354", of)).toBe("2026-11-28"));

describe("columns", () => {
  const column = (header: string, ...examples: string[]) => ({ header, examples });
  it("guesses by names in three languages, by content, and leaves measurements out", () => {
    const names = guessColumns("patients", [
      column("Pt Name", "Lakshmi"),
      column("Mob", "9848012345"),
      column("Age/DOB", "46"),
      column("Sex", "F"),
      column("Bl Gr", "O+"),
      column("OP No", "OP/1182"),
      column("Ref", "Dr. Kolli"),
      column("BP", "140/90"),
    ]);
    expect(names).toEqual(["name", "phone", "born", "gender", "blood", "number", undefined, null]);
    expect(guessColumns("patients", [column("రోగి పేరు", "లక్ష్మి"), column("ఫోన్", "9"), column("వయసు", "4")])).toEqual(["name", "phone", "born"]);
    expect(guessColumns("patients", [column("नाम", "सीता"), column("मोबाइल", "9"), column("", "F", "M")])).toEqual([
      "name",
      "phone",
      "gender",
    ]);
    expect(
      guessColumns("appointments", [column("Visit date", "1/2/2026"), column("Doctor name", "Rao"), column("Patient", "Sita")]),
    ).toEqual([...["date", "doctor", "name"]]);
  });
  it("takes no name of a doctor for a patient's, and knows D.O.B.", () =>
    expect(guessColumns("patients", [column("Doctor name", "Rao"), column("Patient name", "Sita"), column("D.O.B.", "2/3/84")])).toEqual([
      ...[undefined, "name", "born"],
    ]));
  it("asks about the order of dates only where both are possible", () => {
    const dates = (...values: string[]) => {
      const facts: DateFacts = { dayFirst: false, monthFirst: false, ask: null };
      for (const [i, value] of values.entries()) noteDate(facts, { row: i + 2, column: "DOB", value });
      const { order, ask } = dateOrderOf([facts]);
      return { order, ask };
    };
    expect(dates("02/03/1984", "25/03/1984")).toEqual({ order: "dmy", ask: null });
    expect(dates("02/03/1984", "03/25/1984")).toEqual({ order: "mdy", ask: null });
    expect(dates("02/02/1984", "1984-03-05")).toEqual({ order: "dmy", ask: null });
    expect(dates("02/03/1984")).toEqual({ order: "dmy", ask: { row: 2, column: "DOB", value: "02/03/1984" } });
    expect(dates("02/03/1984", "25/03/1984", "03/25/1984").ask?.value).toBe("02/03/1984");
  });
});

it("names what two persons say differently, and nothing that one of them does not say", () => {
  const known = {
    phone: "+919000000121",
    number: "OP 12",
    born: { date: "1984-03-02", about: false },
    gender: "female",
    address: "Guntur",
  } as const;
  expect(differencesOf(known, { phone: null, number: null, born: null, gender: null })).toEqual([]);
  expect(differencesOf(known, { ...known, number: "op12", born: { date: "1985-06-30", about: true }, address: "GUNTUR." })).toEqual([]);
  const other = {
    phone: "+919000000122",
    number: "OP 13",
    born: { date: "1971-06-30", about: true },
    gender: "male",
    address: "Tenali",
  } as const;
  expect(differencesOf(known, other)).toEqual(["phone", "born", "gender", "number", "address"]);
});

describe("groups", () => {
  const known = (over: Partial<KnownPerson> = {}): KnownPerson => ({
    id: "known",
    row: null,
    name: "Lakshmi Prasanna Devi",
    phone: "+919848012345",
    number: null,
    born: { date: "1980-05-28", about: true },
    gender: "female",
    ...over,
  });
  const rules = { mapping: ["name", "phone", "born", "number"] as const, ...of };
  const place = (cells: string[], ...people: KnownPerson[]) => {
    const read = readPatient(cells, rules);
    if ("problem" in read) return read.problem;
    const verdict = placePatient(read.values, new People(people));
    return verdict.group === "decision" ? verdict.question : verdict.group;
  };
  it("never guesses between two persons", () => {
    expect(place(["Lakshmi Prasanna Devi", "9848012345", "46", ""], known())).toBe("here");
    expect(place(["Arjun", "9848012345", "9", ""], known())).toBe("same-phone");
    expect(place(["Lakshmi Prasanna Devi", "9000000166", "46", ""], known())).toBe("same-name");
    expect(place(["Lakshmi Prasanna Devi", "9848012345", "9", ""], known())).toBe("other-age");
    expect(place(["Sita", "9000000166", "46", "OP1"], known({ number: "op 1" }))).toBe("same-number");
    expect(place(["Sita", "9000000166", "46", "OP2"], known({ number: "OP1" }))).toBe("new");
  });
  it("finds no patient by a number of two, or by a number and a phone of two", () => {
    const people = new People([
      known({ id: "a", number: "OP/1" }),
      known({ id: "b", number: "OP/1", name: "Sita", phone: "+919000000122" }),
      known({ id: "c", number: "OP/3", name: "Ravi", phone: "+919000000123" }),
    ]);
    const find = (number: string | null, phone: string | null = null, name: string | null = null) => {
      const found = findPatient({ number, phone: phone as never, name }, people);
      return "question" in found ? found.question : found.person.id;
    };
    expect([find("OP/1"), find("OP/1", null, "Sita"), find("OP/1", "+919000000122", "Sita")]).toEqual(["patient-unclear", "b", "b"]);
    expect([find("OP/3"), find("OP/3", "+919000000123"), find("OP/3", "+919000000199")]).toEqual(["c", "c", "c"]);
    expect(find("OP/3", "+919848012345")).toBe("patient-unclear");
  });
  it("lists a family of one file as persons, and a person with two ages as a question", () => {
    const earlier = known({ id: "2", row: 2 });
    expect(place(["Arjun", "9848012345", "9", ""], earlier)).toBe("new");
    expect(place(["Lakshmi Prasanna Devi", "9848012345", "46", ""], earlier)).toBe("here");
    expect(place(["Lakshmi Prasanna Devi", "9848012345", "19", ""], earlier)).toBe("twice");
  });
});

it("reads any cells without throwing", () => {
  const cell = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom("46", "31/02/1990", "9848012345", "=A1", "9E+11", "\u0000"),
  );
  const mapping = ["name", "phone", "born", "gender", "blood", "address", "number", "note"] as const;
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 9 }), (cells) => {
      const read = readPatient(cells, { mapping, ...of });
      if ("values" in read) expect(read.values.name).toMatch(/\p{L}/u);
    }),
    { numRuns: 500 },
  );
});
