import { listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { Numbers, SOS_COLUMNS } from "#app/domains/guidance/emergency/components/first-help.tsx";
import { Flow, FlowItem } from "#app/domains/guidance/emergency/components/flow.tsx";
import { CallButton } from "#app/domains/guidance/emergency/components/hospitals.tsx";
import { SOS_PATH } from "#app/domains/guidance/emergency/components/sos-run.tsx";
import { dialable } from "#app/domains/guidance/emergency/dialable.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { NetworkNote } from "#app/ui/no-network.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/emergency-offline.ts";

/**
 * The emergency page that the service worker stores and shows without a network (public/sw.js). Its script returns to the live page
 * when the server answers (app/server/no-network.js).
 */
export const handle: PageHandle = { cache: 300, lite: true, alone: true, urgent: true };

const HOSPITALS = 5;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  try {
    const near = await nearOf(context, request);
    const { hospitals } = await listHospitals(ctx, { near, emergency: true, nearby: true, sort: "distance", limit: HOSPITALS });
    const saved = hospitals.flatMap(({ id, name, area, city, phone: listed }) => {
      const phone = dialable(listed);
      return phone ? [{ id, name, phone, where: [area, city].filter(Boolean).join(", ") }] : [];
    });
    return { at: ctx.now, city: placeWord(near.name), saved };
  } catch (error) {
    // The numbers are worth storing without hospitals.
    noteFault(error, "saved hospitals");
    return { at: ctx.now, city: "", saved: [] };
  }
});

export const meta: Route.MetaFunction = () => [
  { title: m.common_title({ page: m.emergency_title() }) },
  { name: "robots", content: "noindex" },
];

export default function EmergencyOffline({ loaderData: { at, city, saved } }: Route.ComponentProps) {
  return (
    <div className="flex flex-1 flex-col" id="sos-stored">
      <Page title={m.emergency_title()} wide className={SOS_COLUMNS}>
        <Numbers wrote={null}>
          <NetworkNote state="slow" />
        </Numbers>
        <div className="mt-6 desktop:mt-0">
          <section aria-labelledby="say">
            <h2 id="say">{m.emergency_offline_say()}</h2>
            <Flow>
              {[m.emergency_offline_where(), m.emergency_offline_what(), m.emergency_offline_who()].map((step, i) => (
                <FlowItem key={step} number={i + 1}>
                  {step}
                </FlowItem>
              ))}
            </Flow>
          </section>
          <section className="mt-8 space-y-4">
            {saved.length > 0 && (
              <>
                <h2>{m.emergency_offline_saved({ city })}</h2>
                <p className="text-sm text-ink-soft">{m.emergency_offline_saved_at({ at: formatInstant(at) })}</p>
                <Flow>
                  {saved.map(({ id, name, where, phone }) => (
                    <FlowItem key={id} action={<CallButton name={name} phone={phone} />}>
                      <h3>{name}</h3>
                      <p className="text-sm text-ink-soft">{where}</p>
                    </FlowItem>
                  ))}
                </Flow>
              </>
            )}
            <LinkButton to={SOS_PATH} reloadDocument variant="second" size="lg" full icon="refresh-cw">
              {m.emergency_offline_retry()}
            </LinkButton>
          </section>
        </div>
      </Page>
    </div>
  );
}
