/** A sheet for the counter: the QR code of /arrive/{key} with three languages. */

import { href } from "react-router";
import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { getPlaceLinks } from "#app/domains/waiting-room/place-links/place-links.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Button } from "#app/ui/button.tsx";
import { QrCode } from "#app/ui/members/qr-code.tsx";
import { Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/poster.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { place, links } = await getPlaceLinks(ctx, params.id);
  if (!links.arrive) throw new DomainError("not-found");
  const url = new URL(`/arrive/${links.arrive.key}`, env().appUrl).href;
  const texts = LANGUAGES.map((one) =>
    withLanguage(one, () => ({ lang: one, title: m.arrive_poster_title(), text: m.arrive_poster_text() })),
  );
  return { place, texts, url, qr: qrCode(url) };
});

export default function Poster({ loaderData, params }: Route.ComponentProps) {
  const { place, texts, url, qr } = loaderData;
  const hydrated = useHydrated();
  return (
    <Page
      title={m.tv_counter()}
      titleAs="p"
      back={{ to: href("/clinic/:id/screen", { id: params.id }), label: m.tv_page() }}
      className="print:max-w-none print:p-0"
    >
      <div className="print:hidden mb-3">
        {hydrated ? (
          <Button size="sm" icon="file-text" onClick={() => window.print()}>
            {m.queue_print()}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">{m.queue_print_hint()}</p>
        )}
      </div>
      <article className="card mx-auto max-w-144 text-center print:max-w-none print:border-0 print:text-[18pt]">
        <h1>{place}</h1>
        <QrCode svg={qr} label={m.arrive_qr_label()} className="mx-auto my-4 w-[min(20rem,100%)] print:w-[100mm]" />
        {texts.map(({ lang, title, text }) => (
          <div key={lang} lang={lang} className="mt-2">
            <p className="text-lg">
              <b>{title}</b>
            </p>
            <p>{text}</p>
          </div>
        ))}
        <p className="text-sm wrap-anywhere mt-2">{url}</p>
      </article>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.tv_counter() }) }];
