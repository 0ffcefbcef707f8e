/** Valid HTML that is also readable without CSS. */
import { HtmlValidate } from "html-validate/node";

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
export async function htmlProblemsOf(html: string): Promise<string[]> {
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
export function runTogether(html: string): string[] {
  const body = html.slice(html.indexOf("<body")).replace(/<(script|style|svg|noscript|template)\b[\s\S]*?<\/\1>/g, "");
  return [...body.matchAll(JOIN)].map(([, before, after]) => `runs together: ${before}|${after}`);
}
