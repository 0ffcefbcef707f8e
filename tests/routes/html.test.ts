/** Every page of every role is valid HTML that is also readable without CSS, and in one language. */
import { HtmlValidate } from "html-validate/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Language } from "#app/lib/language.ts";
import { EVERY_GROUP } from "../setup/every-page.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { faultsOfLanguage } from "../setup/words-of-page.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // How React writes HTML: attribute case, ids of useId, countdown lengths in `style`.
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "no-inline-style": "off",
    "no-trailing-whitespace": "off",
    "valid-id": "off",
    "void-style": "off",
    // Every script and style comes from our own origin.
    "require-sri": "off",
    // A non-breaking space in a phone number would be copied with it.
    "tel-non-breaking": "off",
    // Titles contain names of hospitals.
    "long-title": "off",
    // Favourite and list buttons are outside their form and refer to it by the `form` attribute.
    "wcag/h32": "off",
    // Old screen readers announce `<output>`, `<progress>` and `<dialog>` differently.
    "prefer-native-element": "off",
    // React's own names for SVG attributes.
    "attr-case": "off",
    // Without scripts a queue is loaded again every ten seconds; a link on the page stops it.
    "meta-refresh": "off",
    // Several checkboxes of one list share a name.
    "form-dup-name": ["error", { shared: ["radio", "button", "submit", "reset", "checkbox"] }],
    // A list has the role of a list where CSS removes its bullets, because Safari drops it.
    "no-redundant-role": "off",
  },
});

/** Returns the errors of a page, one line each. */
async function problemsOf(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector, line }) => `${ruleId}: ${message} (${selector ?? `line ${line}`})`),
  );
}

const INLINE = "(?:span|b|small|i|em|strong|time)";
const JOIN = new RegExp(
  `([\\p{L}\\p{M}\\p{N}.!?%]{1,20})</${INLINE}>(?:</?${INLINE}\\b[^>]*>)*<${INLINE}\\b[^>]*>([\\p{L}\\p{N}₹]{1,20})`,
  "gu",
);
/** Finds texts of neighbouring elements that run together without CSS ("4.44.4 out of 5"). */
function runTogether(html: string): string[] {
  const body = html.slice(html.indexOf("<body")).replace(/<(script|style|svg|noscript)\b[\s\S]*?<\/\1>/g, "");
  return [...body.matchAll(JOIN)].map(([, before, after]) => `runs together: ${before}|${after}`);
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

describe("valid HTML", () => {
  it.each(EVERY_GROUP)("$whose pages", async ({ account, paths }) => {
    const browser = account ? await loginAs(server, account) : new Browser(server.url);
    const found: string[] = [];
    for (const path of await paths(server)) {
      const { text, headers } = await browser.get(path);
      if (!headers.get("content-type")?.startsWith("text/html") || path === "/dev/ui") continue;
      for (const problem of [...(await problemsOf(text)), ...runTogether(text)]) found.push(`${path} ${problem}`);
    }
    expect(found).toEqual([]);
  });
});

describe("one language", () => {
  const LANGUAGES: Language[] = ["te", "hi"];
  const pages = LANGUAGES.flatMap((language) => EVERY_GROUP.map((group) => ({ language, ...group })));
  it.each(pages)("$language: $whose pages contain no words of another", async ({ language, account, paths }) => {
    const browser = account ? await loginAs(server, account) : new Browser(server.url);
    browser.cookies.set("lang", language);
    const found: string[] = [];
    for (const path of await paths(server)) {
      const { text, headers } = await browser.get(path);
      if (!headers.get("content-type")?.startsWith("text/html") || path.startsWith("/dev/")) continue;
      for (const fault of faultsOfLanguage(text, language)) found.push(`${path} ${fault}`);
    }
    expect(found).toEqual([]);
  });

  it("finds English text, labels and titles, except where they are marked as English", () => {
    const page = (body: string, language = "te") =>
      `<!DOCTYPE html><html lang="${language}"><head><title>నాడి</title></head><body>${body}</body></html>`;
    expect(faultsOfLanguage(page("<p>మీ ఖాతా</p><script>const a = '<p>Notifications</p>';</script>"), "te")).toEqual([]);
    expect(faultsOfLanguage(page('<p lang="en">Notifications</p>'), "te")).toEqual([]);
    expect(faultsOfLanguage(page("<p><b>Notifications</b></p>"), "te")).toEqual(['English: "Notifications"']);
    expect(faultsOfLanguage(page('<a aria-label="Notifications" href="/"><svg/></a>'), "te")).toEqual(['English: "Notifications"']);
    const pieces = page("<p>Too many attempts. Please wait <!-- -->12<!-- --> seconds and try again.</p>");
    expect(faultsOfLanguage(pieces, "te")).toEqual(['English: "Too many attempts. Please wait 12 seconds and try again."']);
    expect(faultsOfLanguage(page("<p>मेरा खाता.</p>", "hi"), "hi")).toEqual(['Latin full stop: "मेरा खाता."']);
    expect(faultsOfLanguage(page("<p>मेरा खाता</p>"), "hi")).toEqual(['lang is "te"']);
  });
});
