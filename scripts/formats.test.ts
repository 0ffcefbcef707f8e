/** Only app/lib formats times, dates, amounts and counts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const APP = join(import.meta.dirname, "../app");
const FORMATTERS = /toLocale(?:Date|Time)?String\(|Intl\.(?:NumberFormat|DateTimeFormat|RelativeTimeFormat)|`₹\$\{|"₹" \+/;

it("formats dates, times, money and counts only in app/lib", () => {
  const files = (readdirSync(APP, { recursive: true }) as string[]).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.|^lib\/|paraglide/.test(path),
  );
  const found = files.flatMap((path) =>
    readFileSync(join(APP, path), "utf8")
      .split("\n")
      .flatMap((line, i) => (FORMATTERS.test(line) ? [`app/${path}:${i + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  expect(FORMATTERS.test('n.toLocaleString("en-IN")')).toBe(true);
});
