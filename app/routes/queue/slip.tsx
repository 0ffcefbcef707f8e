import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { getSlip } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { partWord } from "#app/domains/waiting-room/queue/words.ts";
import { areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { Button } from "#app/ui/button.tsx";
import { QrCode } from "#app/ui/members/qr-code.tsx";
import { Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/slip.ts";
import { QUEUE_PATHS } from "./queue-paths.ts";

export const loader = loadOwn(async (ctx, { context, params }: Route.LoaderArgs) => {
  const { code, ...slip } = await getSlip(ctx, params.sessionId, params.entryId);
  const url = new URL(`/q/${code}`, env().appUrl).href;
  return { area: areaIn(context, "doctor", "desk"), ...slip, url, qr: qrCode(url) };
});

/** The slip of a token, for printing: number and QR code, no name. */
export default function QueueSlip({ loaderData: slip, params }: Route.ComponentProps) {
  const back = `${QUEUE_PATHS[slip.area]}?session=${params.sessionId}`;
  const hydrated = useHydrated();
  return (
    <Page title={m.queue_slip_title()} titleAs="p" back={{ to: back, label: m.queue_back() }} className="print:max-w-none print:p-0">
      <div className="print:hidden mb-3">
        {hydrated ? (
          <Button size="sm" icon="file-text" onClick={() => window.print()}>
            {m.queue_print()}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">{m.queue_print_hint()}</p>
        )}
      </div>
      <article className="card mx-auto max-w-80 text-center">
        <h1>
          {m.queue_slip_token()} <span className="num block text-[6rem] font-bold leading-none">{slip.number}</span>
        </h1>
        <p>
          <b>{slip.doctor}</b>
          {slip.place && (
            <>
              <br />
              {slip.place}
            </>
          )}
          <br />
          {formatDay(slip.date)}, {partWord(slip.part).toLowerCase()}
        </p>
        <QrCode svg={slip.qr} label={m.queue_qr_label()} className="mx-auto my-4 w-40" />
        <p className="text-sm">{m.queue_slip_text()}</p>
        <p className="text-sm wrap-anywhere">{slip.url}</p>
      </article>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.queue_slip_title() }) }];
