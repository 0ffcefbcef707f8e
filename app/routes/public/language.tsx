import { href } from "react-router";
import { z } from "zod";
import { homeOf } from "#app/areas.ts";
import { chooseLanguage } from "#app/domains/platform/accounts/languages.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { languageCookie } from "#app/http/language.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo, safePath } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { Languages } from "#app/ui/languages.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/language.ts";

const Choice = z.object({ language: z.enum(LANGUAGES), from: z.string().max(4000).default("") });

/** `?from=`: the previous page. */
export const loader = load(({ context, url }: Route.LoaderArgs) => {
  const role = context.get(sessionContext)?.role;
  return { from: withoutLanguage(safePath(url.searchParams.get("from"), role ? homeOf(role) : href("/choose-role"))) };
});

/** Stores the language in a cookie for a year, and in the account of a logged-in user. Redirects to the previous page. */
export function action({ context, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = Choice.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    const { language, from } = posted.data;
    const session = context.get(sessionContext);
    if (session) await chooseLanguage(actorCtxOf(context), language);
    const home = session ? homeOf(session.role) : href("/choose-role");
    return redirectTo(withoutLanguage(safePath(from, home)), { cookies: [languageCookie(language)] });
  });
}

/** Removes `?lang=`, which would take precedence over the chosen language. */
function withoutLanguage(path: string): string {
  const url = new URL(path, "http://own.invalid");
  url.searchParams.delete("lang");
  return url.pathname + url.search + url.hash;
}

export default function LanguagePage({ loaderData }: Route.ComponentProps) {
  return (
    <SplitPage drawing="care" tagline={m.common_tagline()} lean back={{ to: loaderData.from }} languages={false}>
      <h1>{m.ui_language()}</h1>
      <div className="mt-7">
        <Languages from={loaderData.from} />
      </div>
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_language() }) }, { name: "robots", content: "noindex" }];
