import { listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { Numbers } from "#app/domains/guidance/emergency/components/first-help.tsx";
import { SOS_PATH } from "#app/domains/guidance/emergency/components/sos-run.tsx";
import { dialable } from "#app/domains/guidance/emergency/dialable.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
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
    <div className="app sos-page" id="sos-stored">
      <Page title={m.emergency_title()} wide className="sosgrid">
        <Numbers wrote={null}>
          <NetworkNote state="slow" />
        </Numbers>
        <div>
          <section aria-labelledby="say">
            <h2 id="say">{m.emergency_offline_say()}</h2>
            <ol className="flow">
              {[m.emergency_offline_where(), m.emergency_offline_what(), m.emergency_offline_who()].map((step, i) => (
                <li key={step}>
                  <span className="n">{i + 1}</span>
                  <p className="grow">{step}</p>
                </li>
              ))}
            </ol>
          </section>
          <section className="section stack">
            {saved.length > 0 && (
              <>
                <h2>{m.emergency_offline_saved({ city })}</h2>
                <p className="small soft">{m.emergency_offline_saved_at({ at: formatInstant(at) })}</p>
                <ol className="flow">
                  {saved.map(({ id, name, where, phone }) => (
                    <li key={id}>
                      <div className="grow">
                        <h3>{name}</h3>
                        <p className="small soft">{where}</p>
                      </div>
                      <a className="icon-btn edge" href={`tel:${phone}`} aria-label={m.emergency_call_hospital({ name })}>
                        <Icon name="phone" />
                      </a>
                    </li>
                  ))}
                </ol>
              </>
            )}
            <a className="btn second lg full" href={SOS_PATH}>
              <Icon name="refresh-cw" />
              {m.emergency_offline_retry()}
            </a>
          </section>
        </div>
      </Page>
    </div>
  );
}
