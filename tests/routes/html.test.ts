/** Every page of every role is valid HTML that is also readable without CSS. */
import { HtmlValidate } from "html-validate/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVERY_GROUP } from "../setup/every-page.ts";
import { Browser } from "../setup/http.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

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
