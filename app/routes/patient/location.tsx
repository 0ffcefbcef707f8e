import { href } from "react-router";
import { listPopularCities } from "#app/domains/directory/doctors/popular-cities.server.ts";
import { DEFAULT_PLACE } from "#app/domains/patients/profile/queries.server.ts";
import { CitySearch } from "#app/domains/platform/location/components/city-search.tsx";
import { useChoice } from "#app/domains/platform/location/components/use-choice.tsx";
import type { OwnPlace } from "#app/domains/platform/location/location.schema.ts";
import { searchCities } from "#app/domains/platform/location/queries.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { ownPlaceOf } from "#app/http/place.server.ts";
import { safePath } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Card, Facts, Note } from "#app/ui/pieces.tsx";
import { HOME, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/location.ts";

const PATH = href("/location");
const CITIES = href("/location/cities");

export const loader = load(async ({ context, request, url }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const typed = (url.searchParams.get("q") ?? "").trim().slice(0, 100);
  const [place, found, popular] = await Promise.all([
    ownPlaceOf(context, request),
    typed ? searchCities(ctx, typed) : [],
    typed ? [] : listPopularCities(ctx, POPULAR),
  ]);
  const from = safePath(url.searchParams.get("from"), "") || cameFrom(request, url.origin);
  return { place, typed, found, popular, from, usual: DEFAULT_PLACE.name, maps: ctx.integrations.geocoder !== null };
});

/** Cities with most doctors, as buttons. */
const POPULAR = 8;

/** Returns our page before this one, for the back link. */
function cameFrom(request: Request, own: string): string {
  const referer = URL.parse(request.headers.get("referer") ?? "");
  return referer?.origin === own && referer.pathname !== PATH ? safePath(referer.pathname + referer.search, "") : "";
}

/** Spec 001 §2.5. */
export default function LocationPage({ loaderData }: Route.ComponentProps) {
  const { place, typed, found, popular, from, usual, maps } = loaderData;
  const { note, busy, choose, detect } = useChoice(CITIES, from);
  return (
    <Page title={m.location_title()} back={{ to: from || HOME }}>
      <div role="status">
        {note && (
          <Note tone={note.tone} className="mb-4">
            {note.message}
          </Note>
        )}
      </div>
      {/* First, so that its list is above the keyboard of a phone. */}
      <CitySearch key={typed} page={PATH} cities={CITIES} {...{ typed, found, from }} onPick={(city) => void choose(city.id)} />
      <CurrentPlace place={place} usual={usual} />
      {/* Without JavaScript there is no browser position: uses the IP address. */}
      <form
        method="post"
        action={CITIES}
        className="mt-7"
        onSubmit={(event) => {
          event.preventDefault();
          void detect();
        }}
      >
        <input type="hidden" name="intent" value="ip" />
        <input type="hidden" name="from" value={from} />
        <Button type="submit" full icon="locate" aria-busy={busy || undefined} aria-disabled={busy || undefined}>
          {busy ? m.location_detecting() : m.location_use_current()}
        </Button>
        <p className="text-sm text-ink-soft mt-2">{maps ? m.location_private_maps() : m.location_private()}</p>
      </form>
      {popular.length > 0 && <PopularCities popular={popular} from={from} onChoose={(id) => void choose(id)} />}
    </Page>
  );
}

const PopularCities = ({
  popular,
  from,
  onChoose,
}: Pick<Route.ComponentProps["loaderData"], "popular" | "from"> & { onChoose: (id: number) => void }) => (
  <form
    method="post"
    action={CITIES}
    className="mt-7"
    aria-labelledby="popular"
    onSubmit={(event) => {
      event.preventDefault();
      const { submitter } = event.nativeEvent as SubmitEvent;
      if (submitter instanceof HTMLButtonElement) onChoose(Number(submitter.value));
    }}
  >
    <input type="hidden" name="intent" value="city" />
    <input type="hidden" name="from" value={from} />
    <h2 id="popular" className="mb-3">
      {m.location_popular()}
    </h2>
    <div className="row flex-wrap">
      {popular.map(({ id, name }) => (
        <button key={id} type="submit" name="city" value={id} className="chip">
          {name}
        </button>
      ))}
    </div>
  </form>
);

function CurrentPlace({ place, usual }: { place: OwnPlace | null; usual: string }) {
  const sources = { search: m.location_source_search, position: m.location_source_position, ip: m.location_source_ip };
  return (
    <Card as="section" aria-labelledby="now" className="mt-7">
      <h2 id="now" className="row">
        <Icon name="map-pin" />
        {m.location_now()}
      </h2>
      {place ? (
        <>
          <p className="mt-2">
            <b>{place.displayName}</b>
          </p>
          <details>
            <summary>{m.location_details()}</summary>
            <Facts
              items={[
                [
                  m.location_coordinates(),
                  m.location_coordinates_value({ latitude: place.latitude.toFixed(4), longitude: place.longitude.toFixed(4) }),
                ],
                place.accuracy !== null && [m.location_accuracy(), m.location_accuracy_value({ metres: place.accuracy })],
                place.source !== null && [m.location_source(), sources[place.source]()],
              ]}
            />
          </details>
        </>
      ) : (
        <p className="text-ink-soft mt-2">{m.location_not_chosen({ city: usual })}</p>
      )}
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.location_title() }) }];
