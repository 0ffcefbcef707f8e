/** Every sentence on a screen is in the catalogues, in each language with the same placeholders, and none is unused. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it, test } from "vitest";
import { BASE_LANGUAGE, LANGUAGES } from "#app/lib/language.ts";

const FOLDER = "app/messages";
const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8"));
const rooms = readdirSync(join(FOLDER, BASE_LANGUAGE)).filter((name) => name.endsWith(".json"));
const keysOf = (catalogue: Record<string, unknown>) => Object.keys(catalogue).filter((key) => key !== "$schema");
/** Returns the placeholders of a message: `{name}`. */
const holesOf = (text: unknown) => [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

const sources = (readdirSync("app", { recursive: true }) as string[])
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name) && !/^paraglide\/|\.test\.tsx?$/.test(name))
  .map((name) => ({ path: `app/${name}`, text: readFileSync(join("app", name), "utf8") }));

it("the settings of the catalogues list every room and no other", () => {
  const settings = readFileSync("project.inlang/settings.json", "utf8");
  const named = [...settings.matchAll(/\{locale\}\/(\w+\.json)/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(rooms.toSorted());
  expect((read("project.inlang/settings.json") as { locales: string[] }).locales).toEqual([...LANGUAGES]);
});

describe.each(LANGUAGES.filter((one) => one !== BASE_LANGUAGE))("%s", (language) => {
  it("has the same rooms", () => {
    expect(readdirSync(join(FOLDER, language)).toSorted()).toEqual(rooms.toSorted());
  });

  it.each(rooms)("%s: has the same keys and placeholders, and no empty text", (room) => {
    const base = read(join(FOLDER, BASE_LANGUAGE, room));
    const own = read(join(FOLDER, language, room));
    expect(keysOf(own).toSorted()).toEqual(keysOf(base).toSorted());
    const wrong = keysOf(base).filter(
      (key) =>
        String([...new Set(holesOf(own[key]))].sort()) !== String([...new Set(holesOf(base[key]))].sort()) || !String(own[key]).trim(),
    );
    expect(wrong).toEqual([]);
  });
});

describe("Hindi", () => {
  const sentences = rooms.flatMap((room) =>
    Object.entries(read(join(FOLDER, "hi", room))).map(
      ([key, text]) => `${key}: ${typeof text === "string" ? text : JSON.stringify(text)}`,
    ),
  );

  it("ends sentences with a danda", () => {
    // "डॉ." is an abbreviation.
    expect(sentences.filter((sentence) => /[\u0900-\u097f](?<!डॉ)\.(\s|$)/.test(sentence))).toEqual([]);
  });

  it("does not use बाक़ी, a word for debts, for a waiting status", () => {
    expect(sentences.filter((sentence) => /_(status|change)_pending: .*बाक़ी/.test(sentence))).toEqual([]);
  });
});

it("no key is in two rooms", () => {
  const all = rooms.flatMap((room) => keysOf(read(join(FOLDER, BASE_LANGUAGE, room))));
  expect(all.filter((key, i) => all.indexOf(key) !== i)).toEqual([]);
});

it("no message is unused or chosen by a computed name", () => {
  const used = new Set(sources.flatMap(({ text }) => [...text.matchAll(/\bm\s*\.\s*(\w+)/g)].map(([, key]) => key)));
  const unused = rooms.flatMap((room) => keysOf(read(join(FOLDER, BASE_LANGUAGE, room))).filter((key) => !used.has(key)));
  expect(unused).toEqual([]);
  const speaking = sources.filter(({ text }) => text.includes("paraglide/messages.js"));
  expect(speaking.filter(({ text }) => /\bm\[|\.\.\.m\b|Object\.\w+\(m\)/.test(text)).map(({ path }) => path)).toEqual([]);
});

/** Shown to users, and the same in every language: brand, units and codes, names of formats, symbols. */
const SAME_EVERYWHERE = /^(Nadi|108|112|OTP|UPI|PDF|SMS|SOS|JSON|CSV|KB|MB|km|API|curl|₹|[A-Z]{2,5}|v\d)$/;
/** For developers, in English like their tools: the reference of the JSON API, the sheet of components. */
const FOR_PROGRAMMERS = /^app\/(routes\/api\/openapi\.ts|http\/api\/|routes\/public\/api-docs\.tsx|routes\/dev\/(ui|form-samples)\.tsx)/;
const READ_ALOUD = new Set(["title", "placeholder", "aria-label", "alt", "label", "hint", "pendingText", "tagline", "text"]);

const hasWord = (text: string) => text.split(/[\s·:,.()]+/).some((word) => /\p{L}{2,}/u.test(word) && !SAME_EVERYWHERE.test(word));

/** In each source without components that can have a sentence. Parsing all of them takes seconds. */
const MAY_SPEAK = /DomainError|Response\(|redirectWithToast|showToast|message:/;
/** Returns sentences in a source file: JSX text, visible attributes, texts of refusals and responses. */
function written({ path, text }: { path: string; text: string }): string[] {
  const found: string[] = [];
  if (!path.endsWith("x") && !MAY_SPEAK.test(text)) return found;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const note = (node: ts.Node, said: string) => {
    if (hasWord(said)) found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${said.trim().slice(0, 60)}`);
  };
  const literal = (node: ts.Node | undefined) => node && (ts.isStringLiteralLike(node) ? node.text : undefined);
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note(node, node.text);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) {
      const choices =
        node.expression && ts.isConditionalExpression(node.expression)
          ? [node.expression.whenTrue, node.expression.whenFalse]
          : [node.expression];
      for (const one of choices) note(node, literal(one) ?? "");
    }
    if (ts.isJsxAttribute(node) && READ_ALOUD.has(node.name.getText()) && node.initializer) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer;
      note(node, literal(value) ?? "");
    }
    if (ts.isNewExpression(node) && ["DomainError", "Response"].includes(node.expression.getText())) {
      const said = literal(node.arguments?.[node.expression.getText() === "DomainError" ? 1 : 0]);
      note(node, said ?? "");
    }
    if (ts.isCallExpression(node) && /^(redirectWithToast|showToast)$/.test(node.expression.getText()))
      note(node, literal(node.arguments[1]) ?? "");
    if (ts.isPropertyAssignment(node) && node.name.getText() === "message") note(node, literal(node.initializer) ?? "");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test("no message is written into a source file", { timeout: 60_000 }, () => {
  expect(sources.filter(({ path }) => !FOR_PROGRAMMERS.test(path)).flatMap(written)).toEqual([]);
});

test("detects a message in a source file", () => {
  const page = `export default () => <p title="Save it">Good morning {x ? "Yes" : m.no()}</p>; throw new DomainError("invalid", "Not so");`;
  expect(written({ path: "app/x.tsx", text: page })).toHaveLength(4);
  const command = `throw new DomainError("invalid", "Not so"); new Response("Not here"); showToast(x, "Done it"); ({ message: "Try again" });`;
  expect(written({ path: "app/x.server.ts", text: command })).toHaveLength(4);
});
