import "#app/ui/zod-config.ts";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { href, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { toastContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { guardArea, requestMiddleware } from "#app/http/middleware.server.ts";
import { savedFormContext } from "#app/http/saved-form.server.ts";
import { wantsLargerText } from "#app/http/text-size.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { Announcer } from "#app/ui/announcer.tsx";
import { ServerHead, Styles, useLite } from "#app/ui/document.tsx";
import { ErrorPage } from "#app/ui/error-page.tsx";
import { IconSprite } from "#app/ui/icon.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { keepShownData, useShownData } from "#app/ui/quiet-reload.ts";
import { useLargerText } from "#app/ui/text-size.ts";
import { restoreToast, Toasts } from "#app/ui/toast.tsx";
import { answerForm } from "#app/ui/unsent-form.ts";
import type { Route } from "./+types/root";

export { keepAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export const middleware: Route.MiddlewareFunction[] = [requestMiddleware, guardArea];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [answerForm, keepShownData] as Route.ClientMiddlewareFunction[];

export const loader = load(({ context, request }: Route.LoaderArgs) => ({
  toast: context.get(toastContext),
  ...savedFormOf(context.get(savedFormContext)),
  ...(wantsLargerText(request.headers.get("cookie")) && { larger: true as const }),
  // A document has `lang`. Data loaded by a script has the language here.
  ...(new URL(request.url).pathname.endsWith(".data") && { spoken: language() }),
}));

/** Omitted when null, because every page contains the root's data. */
const savedFormOf = (savedForm: string | null) => (savedForm === null ? {} : { savedForm });

export function Layout({ children }: { children: ReactNode }) {
  const lite = useLite();
  const larger = useLargerText();
  return (
    <html lang={language()} style={larger ? { fontSize: "125%" } : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbf8f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e191c" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        {/* iOS finds /apple-touch-icon.png without a link. */}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href={href("/manifest.webmanifest")} />
        <Styles />
        <Meta />
        <Links />
        <ServerHead />
      </head>
      <body>
        <IconSprite>
          <a className="absolute -top-20 left-4 z-9 bg-card px-4 py-3 focus:top-4 print:hidden" href="#main">
            {m.ui_skip()}
          </a>
          {children}
          {!lite && (
            <Announcer>
              <Toasts />
            </Announcer>
          )}
        </IconSprite>
        {!lite && <Progress />}
        {!lite && <ScrollMemory />}
        {!lite && <Scripts />}
      </body>
    </html>
  );
}

/**
 * With JavaScript only: its inline script would be in every first view, and browsers restore a complete page themselves. Starts in a
 * task of its own, after the page can be used.
 */
function ScrollMemory() {
  const [usable, setUsable] = useState(false);
  useEffect(() => startTransition(() => setUsable(true)), []);
  return usable ? <ScrollRestoration /> : null;
}

export default function App({ loaderData }: Route.ComponentProps) {
  useShownData();
  const spoken = loaderData && "spoken" in loaderData ? loaderData.spoken : undefined;
  // The language changed in another tab, or by a login: loads a document in the new language.
  const toast = loaderData?.toast ?? null;
  useEffect(() => {
    if (!spoken || spoken === language()) return;
    if (toast) restoreToast(toast);
    location.reload();
  }, [spoken, toast]);
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />;
}
