/** Messages use the terms of docs/glossary.md: its tables "Words to avoid" are read here. Texts of the specification are exempt. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "#app/lib/language.ts";

const FOLDER = "app/messages";
type Avoided = { form: string; write: string };

const glossary = readFileSync("docs/glossary.md", "utf8");
const specified = new Set(
  Object.values<Record<string, string>>(JSON.parse(readFileSync("docs/specification/texts.json", "utf8"))).flatMap((part) =>
    Object.keys(part),
  ),
);

/** Reads the table below a heading such as "### Avoid in Hindi": the forms to avoid, and what to write instead. */
function avoidedIn(name: string): Avoided[] {
  const [, section = ""] = glossary.split(`### Avoid in ${name}\n`);
  const rows = section.split("\n#")[0]!.matchAll(/^\| (?!not |---)(.+?) \| (.+?) \|/gm);
  return [...rows].flatMap(([, forms, write]) => forms!.split(", ").map((form) => ({ form, write: write! })));
}

const AVOIDED: Record<Language, Avoided[]> = { en: avoidedIn("English"), te: avoidedIn("Telugu"), hi: avoidedIn("Hindi") };

/** Returns the avoided forms in a text. English forms match whole words in any case, the others also the stem of a word. */
function wordsToAvoid(language: Language, text: string): Avoided[] {
  if (language !== "en") return AVOIDED[language].filter(({ form }) => text.includes(form));
  return AVOIDED.en.filter(({ form }) => new RegExp(String.raw`(?<![\w{])${form}(?![\w}])`, "i").test(text));
}

/** All texts of a message: one, or one for each plural form. */
function textsOf(message: unknown): string[] {
  if (typeof message === "string") return [message];
  return (message as { match: Record<string, string> }[]).flatMap(({ match }) => Object.values(match));
}

describe.each(LANGUAGES)("%s", (language) => {
  it.each(readdirSync(join(FOLDER, language)).filter((name) => name.endsWith(".json")))(
    "%s has no word that the glossary avoids",
    (room) => {
      const catalogue: Record<string, unknown> = JSON.parse(readFileSync(join(FOLDER, language, room), "utf8"));
      const found = Object.entries(catalogue)
        .filter(([key]) => key !== "$schema" && !(language === "en" && specified.has(key)))
        .flatMap(([key, message]) =>
          textsOf(message).flatMap((text) => wordsToAvoid(language, text).map(({ form, write }) => `${key}: "${form}", write: ${write}`)),
        );
      expect(found).toEqual([]);
    },
  );

  it("reads the table of the glossary", () => expect(AVOIDED[language].length).toBeGreaterThan(5));
});

it("finds a word at the start of a sentence, and none inside another word", () => {
  expect(wordsToAvoid("en", "Nobody is booked. Standard order.").map(({ form }) => form)).toEqual(["nobody"]);
  expect(wordsToAvoid("hi", "आपकी मुलाक़ात कल है।").map(({ form }) => form)).toEqual(["मुलाक़ात"]);
});
