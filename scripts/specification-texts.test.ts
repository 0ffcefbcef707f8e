/**
 * Checks that the sentences and labels which the specification fixes are in app/messages/en, word for word. They are listed in
 * docs/specification/texts.json by message key: a whole message under its document, a part of a longer message under `phrases`.
 * Renaming a key changes the list; the wording never changes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import texts from "../docs/specification/texts.json" with { type: "json" };
import { readTables } from "./specification.ts";

const ENGLISH = join(import.meta.dirname, "../app/messages/en");

type Texts = Record<string, string>;
const messages: Record<string, unknown> = Object.assign(
  {},
  ...readdirSync(ENGLISH).map((file) => JSON.parse(readFileSync(join(ENGLISH, file), "utf8"))),
);
const { phrases, ...documents } = texts;
const fixed: Texts = Object.assign({}, ...Object.values(documents));

const PLACEHOLDER = /\{[^}]*\}/g;
/** The names of placeholders may differ, their positions may not. */
const sameWords = (text: string) => text.replace(PLACEHOLDER, "{}");
/** Matches a text with its placeholders filled: "In {days} days" matches "In 5 days". */
const filled = (text: string) =>
  new RegExp(
    `^${text
      .split(PLACEHOLDER)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+")}$`,
  );

/** Texts of the tables that are not messages, with the reason. */
const NOT_A_MESSAGE: Texts = {
  "+91": "a prefix in app/ui/fields.tsx, the same in every language",
  "under review by hospital": "a status value of the API",
  "Server error: {status} - {body}": "decision 029: the inside is not shown",
  "Server Error: {message}. Status: {status}": "decision 029: the inside is not shown",
  "Unknown error": "decision 029: the inside is not shown",
  "HTTP {status}": "decision 029: the server always answers with a sentence",
  New: "decision 029: not of the specification",
};

it.each(Object.entries(documents))("messages of document %s match the specification", (_, expected) => {
  const now = Object.fromEntries(
    Object.keys(expected).map((key) => [key, typeof messages[key] === "string" ? sameWords(messages[key]) : messages[key]]),
  );
  expect(now).toEqual(Object.fromEntries(Object.entries(expected).map(([key, text]) => [key, sameWords(text)])));
});

it("longer messages contain the phrases that the specification fixes", () => {
  const missing = Object.entries(phrases).flatMap(([key, all]) =>
    all.filter((phrase) => !String(messages[key]).includes(phrase)).map((phrase) => `${key} lacks “${phrase}”`),
  );
  expect(missing).toEqual([]);
});

it("each text quoted in the tables of the specification is in the list", () => {
  const whole = Object.values(fixed);
  const parts = Object.values(phrases).flat();
  const unlisted = readTables().flatMap(({ at, texts }) =>
    texts
      .filter((text) => !whole.some((one) => sameWords(one) === sameWords(text) || filled(one).test(text)))
      .filter((text) => !parts.includes(text) && !(text in NOT_A_MESSAGE))
      .map((text) => `${at}: “${text}”`),
  );
  expect(unlisted).toEqual([]);
});

it("the list has its full length", () => {
  expect(Object.keys(fixed).length).toBeGreaterThanOrEqual(410);
  expect(Object.keys(phrases).length).toBeGreaterThanOrEqual(16);
});
