import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { NOTICE, noticeFor } from "./privacy-notice.ts";

it("a change of its texts is a new version", () => {
  const texts = LANGUAGES.map((language) => withLanguage(language, () => [noticeFor("patient"), noticeFor("staff")]));
  // Another hash: the notice changed. Write it here, and the day from which it is shown into NOTICE.
  expect([NOTICE, createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16)]).toEqual([
    "2026-11-28",
    "1e48c3a0bb0660cf",
  ]);
});
