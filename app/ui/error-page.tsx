import { useEffect, useRef } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "./button.tsx";
import type { Drawing } from "./illustration.tsx";
import { SAVED_FORM } from "./saved-form.ts";
import { SplitPage } from "./split-page.tsx";
import { isUnreached } from "./unsent-form.ts";

type ErrorText = { title: string; text: string; drawing: Drawing; retry?: boolean };

/** Returns the text of an error page: the message of a refusal if it has one, never internal details. */
export function errorTextOf(error: unknown): ErrorText {
  if (isUnreached(error)) return { title: m.error_page_offline(), text: m.error_page_offline_text(), drawing: "time", retry: true };
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const sentence = isRouteErrorResponse(error) ? sentenceOf(error.data) : undefined;
  switch (status) {
    case 404:
      return { title: m.common_not_found_title(), text: sentence ?? m.common_not_found_text(), drawing: "find" };
    case 401:
    case 403:
      return { title: m.error_page_forbidden(), text: sentence ?? m.error_forbidden(), drawing: "records" };
    case 413:
      return { title: m.error_page_too_large(), text: sentence ?? m.error_too_large(), drawing: "records" };
    case 429:
      return { title: m.error_page_too_many(), text: sentence ?? m.error_too_many(), drawing: "time", retry: true };
    case 503:
      return { title: m.error_page_unavailable(), text: sentence ?? m.error_unavailable(), drawing: "time", retry: true };
  }
  // "Check the fields below" is for forms.
  const text = sentence && sentence !== m.error_invalid() ? sentence : m.error_page_invalid_text();
  if (status >= 400 && status < 500) return { title: m.error_page_invalid(), text, drawing: "records" };
  return { title: m.error_page_other(), text: m.error_page_other_text(), drawing: "time", retry: true };
}

/** Returns the message of a `Refusal` (http/refusals.server.ts). React Router's own errors have a technical string. */
function sentenceOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("message" in data)) return undefined;
  return typeof data.message === "string" ? data.message : undefined;
}

/** Returns the saved form of a post by script after the session ended (http/middleware.server.ts). */
function savedFormIn(error: unknown): { login: string; savedForm: string } | null {
  const of: unknown = isRouteErrorResponse(error) ? error.data : null;
  if (typeof of !== "object" || of === null || !("login" in of) || !("savedForm" in of)) return null;
  return typeof of.login === "string" && typeof of.savedForm === "string" ? { login: of.login, savedForm: of.savedForm } : null;
}

/** Continues to the login page with the saved form. */
function ToLogin({ login, savedForm }: { login: string; savedForm: string }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  return (
    <form ref={form} method="post" action={login}>
      <input type="hidden" name={SAVED_FORM} value={savedForm} />
      <Button type="submit" size="lg" full>
        {m.accounts_login()}
      </Button>
    </form>
  );
}

/** The error page, with 108 and 112. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const { title, text, drawing, retry } = errorTextOf(error);
  const carried = savedFormIn(error);
  return (
    <SplitPage drawing={drawing} tagline={m.common_tagline()}>
      <title>{m.common_title({ page: title })}</title>
      <h1>{title}</h1>
      <p className="text-ink-soft mt-2">{text}</p>
      <div className="mt-4 grid gap-2.5">
        {carried && <ToLogin {...carried} />}
        {retry && (
          <LinkButton to={pathname + search} size="lg" full icon="refresh-cw" reloadDocument>
            {m.error_page_retry()}
          </LinkButton>
        )}
        <LinkButton to="/" variant={retry || carried ? "second" : undefined} size="lg" full icon="house">
          {m.common_go_home()}
        </LinkButton>
      </div>
      <EmergencyNumbers />
    </SplitPage>
  );
}

/** Links to 108 and 112. */
export function EmergencyNumbers() {
  return (
    <div className="mt-7">
      <p className="text-sm text-ink-soft">{m.error_page_emergency()}</p>
      <p className="row flex-wrap mt-2">
        <LinkButton variant="danger" size="sm" icon="ambulance" to="tel:108">
          {" 108"}
        </LinkButton>
        <LinkButton variant="danger" size="sm" icon="phone" to="tel:112">
          {" 112"}
        </LinkButton>
      </p>
    </div>
  );
}
