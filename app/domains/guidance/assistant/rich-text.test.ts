import { describe, expect, it } from "vitest";
import { parseRichText, plainText, safeAddress, titleOf } from "./rich-text.ts";

describe("text of an answer", () => {
  it("reads paragraphs, lists, bold words and links", () => {
    expect(
      parseRichText("## Rest\nSleep **well**,\nplease.\n\n- one\n* two\n1. first\n2) [WHO](https://who.int/x) or https://a.in/b."),
    ).toEqual([
      { kind: "paragraph", inlines: [{ kind: "bold", text: "Rest" }] },
      {
        kind: "paragraph",
        inlines: [
          { kind: "text", text: "Sleep " },
          { kind: "bold", text: "well" },
          { kind: "text", text: ",\nplease." },
        ],
      },
      { kind: "list", ordered: false, items: [[{ kind: "text", text: "one" }], [{ kind: "text", text: "two" }]] },
      {
        kind: "list",
        ordered: true,
        items: [
          [{ kind: "text", text: "first" }],
          [
            { kind: "link", text: "WHO", to: "https://who.int/x" },
            { kind: "text", text: " or " },
            { kind: "link", text: "https://a.in/b", to: "https://a.in/b" },
            { kind: "text", text: "." },
          ],
        ],
      },
    ]);
  });
  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[press](javascript:alert(1))",
    "[press](data:text/html,x)",
    "[press](//evil.example)",
    "[press](/logout)",
    "![x](javascript:1)",
    "[login](https://nadi.in@evil.example/)",
  ])("%s stays text", (text) => {
    const kinds = parseRichText(text).flatMap((b) => (b.kind === "paragraph" ? b.inlines.map((i) => i.kind) : ["list"]));
    expect(kinds.every((kind) => kind === "text")).toBe(true);
    expect(plainText(text)).toBe(text);
  });
  it("links http and https addresses only", () => {
    expect(safeAddress("HTTPS://Who.int/a b")).toBe("https://who.int/a%20b");
    for (const bad of ["javascript:alert(1)", "java\nscript:x", "ftp://a.in", "mailto:a@b.in", "who.int", "https://", ""])
      expect(safeAddress(bad), bad).toBeNull();
  });
  it("reads hostile texts in linear time", () => {
    for (const text of ["[".repeat(50_000), "**".repeat(50_000), "https://".repeat(10_000), `- ${"*".repeat(50_000)}`])
      expect(parseRichText(text).length).toBeGreaterThan(0);
  });
});

it("uses the first 40 characters of the answer, without markup, as its title", () => {
  expect(titleOf("**Drink** water and rest. If it does not get better in two days, see a doctor.")).toBe(
    "Drink water and rest. If it does not get",
  );
  expect([...titleOf("😀".repeat(50))]).toHaveLength(40);
  expect(titleOf("Short")).toBe("Short");
});
