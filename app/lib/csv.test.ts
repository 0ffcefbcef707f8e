import { expect, it } from "vitest";
import { csvFile } from "./csv.ts";

it("writes a byte order mark and CRLF line ends", () => {
  expect(
    csvFile(
      ["Month", "Earnings"],
      [
        ["2026-11", 1250.5],
        ["ఖాతా", -3],
      ],
    ),
  ).toBe("\uFEFFMonth,Earnings\r\n2026-11,1250.5\r\nఖాతా,-3\r\n");
});
it("quotes commas, quotes and line breaks", () => {
  expect(csvFile(['a "b"'], [["x,y", "1\n2"]])).toBe('\uFEFF"a ""b"""\r\n"x,y","1\n2"\r\n');
});
it.each([
  "=1+1",
  "+cmd|' /C calc'!A0",
  "-2+3",
  "-2\n=1",
  "-1-1",
  "@SUM(A1)",
  "\t=1",
  " =1",
  "\r=1",
  "\n=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
])("escapes the formula %j", (formula) => {
  const [, line = ""] = csvFile(["a"], [[formula]]).split("\r\n", 2);
  expect(line.replace(/^"/, "").startsWith("'")).toBe(true);
});
it.each(["+919848012345", "=cmd", "-Ravi", "@home", "'quoted", "''", "Ravi", " =1", "O'Brien", "-2", "+91\n=1", ""])(
  "gives a program the exact value of %j back: one apostrophe at the start is not part of it",
  (value) => {
    const [[read = ""] = []] = [...csvFile(["a"], [[value]]).matchAll(/\r\n(?:"((?:[^"]|"")*)"|([^\r]*))\r\n$/g)].map(
      ([, quoted, plain]) => [quoted === undefined ? plain : quoted.replaceAll('""', '"')],
    );
    expect(read.replace(/^'/, "")).toBe(value);
  },
);
it("leaves a negative number a number, so that a spreadsheet adds it up", () => {
  expect(csvFile(["a"], [["-200.50"], ["-3"]])).toBe("\uFEFFa\r\n-200.50\r\n-3\r\n");
});
