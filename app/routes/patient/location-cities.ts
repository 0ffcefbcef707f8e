import { href } from "react-router";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { placeAtPosition, placeOfAddress, placeOfCity, savePlace } from "#app/domains/platform/location/choose-place.server.ts";
import { ChoosePlaceSchema, type Chosen, type OwnPlace } from "#app/domains/platform/location/location.schema.ts";
import { searchCities } from "#app/domains/platform/location/queries.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { placeCookie } from "#app/http/place.server.ts";
import { redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { orRefuse, refusalOf } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/location-cities.ts";

/** Returns suggestions for the script of /location: up to eight cities, none for fewer than two letters. */
export const loader = loadOpen(async (ctx, { url }: Route.LoaderArgs) =>
  Response.json(await searchCities(ctx, url.searchParams.get("q") ?? "")),
);

/** Spec 001 §8: message for a found place, by source. */
const SENTENCES: Record<"search" | "position" | "ip", (city: string) => string> = {
  search: (city) => m.location_set({ city }),
  position: (city) => m.location_detected({ city }),
  ip: (city) => m.location_set_ip({ city }),
};

/** Stores the chosen place: a patient's in the database, a visitor's in a cookie. */
export function action({ context, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = ChoosePlaceSchema.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    const ctx = ctxOf(context);
    const stay = posted.data.stay === "1";
    const from = safePath(String(formData.get("from") ?? ""), "");
    const here = `${href("/location")}${from ? `?from=${encodeURIComponent(from)}` : ""}`;
    const answer = (message: string, to: string | null, cookies: string[] = []) => {
      if (!stay) return redirectWithToast(to ?? here, message, { type: to ? "success" : "error", cookies });
      return Response.json({ message, to } satisfies Chosen, {
        headers: cookies.map((cookie): [string, string] => ["Set-Cookie", cookie]),
      });
    };

    let place: OwnPlace | null;
    try {
      place = await find(ctx, posted.data);
    } catch (error) {
      if (error instanceof DomainError && (error.code === "not-found" || error.code === "too-many"))
        return answer(refusalOf(error).message, null);
      throw error;
    }
    if (!place) return answer(posted.data.intent === "ip" ? m.location_ip_unknown() : m.location_no_city(), null);
    const sentence = SENTENCES[place.source ?? "search"](place.name);
    if (context.get(sessionContext)?.role === "patient") {
      await savePlace(ctx as Ctx<Actor>, place);
      return answer(sentence, href("/patient-dashboard"));
    }
    // The dashboard would redirect a visitor to the login, so they return to the page before.
    return answer(sentence, from || href("/doctorspages/Cards-data"), [placeCookie(place)]);
  });
}

type Choice = (typeof ChoosePlaceSchema)["_output"];
function find(ctx: Ctx, choice: Choice): Promise<OwnPlace | null> {
  switch (choice.intent) {
    case "city":
      return placeOfCity(ctx, choice.city);
    case "position":
      return placeAtPosition(ctx, { ...choice, accuracy: choice.accuracy ?? null });
    case "ip":
      return placeOfAddress(ctx);
  }
}
