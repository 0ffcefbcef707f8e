/** Faults of pages: console errors, exceptions, what the policy refuses, and responses of 400 and above. */
import type { BrowserContext, Page, Response } from "@playwright/test";

/** What Chromium logs for a request without a network, and React Router when it looks for the routes of links. */
export const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED|^Failed to fetch manifest patches TypeError: Failed to fetch/;

export class Faults {
  /** All faults so far. */
  readonly found: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** Names faults that the test causes on purpose. Every other one fails it. */
  allow(...expected: RegExp[]): void {
    this.#allowed.push(...expected);
  }
  get unexpected(): string[] {
    return this.found.filter((fault) => !this.#allowed.some((pattern) => pattern.test(fault)));
  }

  /**
   * Watches every page of a context. A form that is refused answers 4xx, which is no fault of its page; a document, picture, script
   * or call that a page asks for in vain is one, written as "404 GET /path".
   */
  watch(context: BrowserContext): void {
    context.on("console", (message) => {
      // Chromium logs responses of 400 and above too. The listener below reads them, with their method.
      if (message.type() !== "error" || /^Failed to load resource: the server responded/.test(message.text())) return;
      this.found.push([message.text(), message.location().url].filter(Boolean).join(" at "));
    });
    context.on("weberror", (error) => {
      const fault = String(error.error());
      // React Router stops reading the data of a page that was left, and does not catch what its stream throws then.
      if (fault !== "AbortError: BodyStreamBuffer was aborted") this.found.push(fault);
    });
    context.on("response", (response) => {
      if (response.status() >= 400 && !isRefusedForm(response)) this.found.push(describeResponse(response));
    });
    // A page that is closed at once has no policy to watch.
    context.on("page", (page) => void this.watchPolicy(page).catch(() => undefined));
  }

  /** Also finds violations of the policy that the console does not show, such as an `eval` inside `try`. Needs no JavaScript. */
  async watchPolicy(page: Page): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    devtools.on("Audits.issueAdded", ({ issue: { details } }) => {
      const violation = details.contentSecurityPolicyIssueDetails;
      if (!violation) return;
      const what = violation.blockedURL ?? violation.contentSecurityPolicyViolationType;
      this.found.push(`policy violation: ${violation.violatedDirective} ${what}`);
    });
    await devtools.send("Audits.enable");
  }
}

/** Without JavaScript a form is a navigation, with JavaScript a request for the data of its page. */
function isRefusedForm(response: Response): boolean {
  const request = response.request();
  const isPage = request.isNavigationRequest() || /\.data(\?|$)/.test(request.url());
  return isPage && request.method() !== "GET" && response.status() < 500;
}

function describeResponse(response: Response): string {
  const { pathname, search } = new URL(response.url());
  return `${response.status()} ${response.request().method()} ${pathname}${search}`;
}
