import { href } from "react-router";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { addFavourite, removeFavourite } from "#app/domains/directory/favourites/change-favourites.server.ts";
import { FavouriteItem, RemovedFavourite } from "#app/domains/directory/favourites/components/favourite-item.tsx";
import { favouriteKey, heartId } from "#app/domains/directory/favourites/favourite.ts";
import { FavouriteKeySchema, PressSchema } from "#app/domains/directory/favourites/favourites.schema.ts";
import { findListedName } from "#app/domains/directory/favourites/queries.server.ts";
import { HospitalCard } from "#app/domains/directory/hospitals/components/hospital-card.tsx";
import { listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { waitingFavouriteCookie } from "#app/http/waiting-favourite.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/favourites.ts";

const HOME = href("/patient-dashboard");
const PATH = href("/favourites");
/** Bound of each list: more favourites than a patient has. */
const MOST = 200;

/** The list is for patients. A press is also for visitors: the action stores it until the login. */
export const middleware: Route.MiddlewareFunction[] = [
  async (args, next) => {
    if (args.request.method !== "POST") await requireRole(["patient"], args);
    return next();
  },
];

/** Returns the favourites of the patient, and in `?removed=` the one just removed by a form without scripts. */
export const loader = loadOwn(async (ctx, { context, request, url }: Route.LoaderArgs) => {
  const wanted = { near: await nearOf(context, request), favouritesOnly: true, limit: MOST };
  const removed = FavouriteKeySchema.safeParse(url.searchParams.get("removed")).data;
  const [{ doctors }, { hospitals }, gone] = await Promise.all([
    listDoctors(ctx, wanted),
    listHospitals(ctx, wanted),
    removed ? findListedName(ctx, removed) : null,
  ]);
  const isBack = [...doctors, ...hospitals].some(({ id }) => id === removed?.id);
  return { doctors, hospitals, removed: removed && gone && !isBack ? { ...removed, name: gone } : null, today: todayInIndia(ctx.now) };
});

export default function FavouritesPage({ loaderData }: Route.ComponentProps) {
  const { doctors, hospitals, removed, today } = loaderData;
  const isEmpty = doctors.length + hospitals.length === 0;
  return (
    <Page wide title={m.favourites_title()} back={{ to: href("/patient/profile"), label: m.ui_place_profile() }}>
      {removed && <RemovedFavourite {...removed} />}
      {isEmpty && (
        <EmptyState
          drawing="no-favourites"
          title={m.favourites_none()}
          action={<LinkButton to={href("/doctorspages/Cards-data")}>{m.doctors_all()}</LinkButton>}
        >
          {m.favourites_none_text()}
        </EmptyState>
      )}
      {doctors.length > 0 && (
        <section aria-labelledby="doctors">
          <h2 id="doctors" className="mb-3">
            {m.directory_doctors()}
          </h2>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {doctors.map((doctor) => (
              <FavouriteItem key={doctor.id} kind="doctor" id={doctor.id} name={doctor.name}>
                <DoctorCard doctor={doctor} today={today} favourite book />
              </FavouriteItem>
            ))}
          </div>
        </section>
      )}
      {hospitals.length > 0 && (
        <section className="mt-7" aria-labelledby="hospitals">
          <h2 id="hospitals" className="mb-3">
            {m.patients_place_hospitals()}
          </h2>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {hospitals.map((hospital) => (
              <FavouriteItem key={hospital.id} kind="hospital" id={hospital.id} name={hospital.name}>
                <HospitalCard hospital={hospital} favourite />
              </FavouriteItem>
            ))}
          </div>
        </section>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.favourites_title() }) }];

/**
 * Handles a press of a heart. Redirects to the page of the heart, at the same place. Redirects a visitor to the login, which adds
 * the favourite in the cookie. Posts of the script (`stay`) get an empty response.
 */
export function action({ context, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = PressSchema.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    const { add, remove, from, stay } = posted.data;
    const favourite = add ?? remove;
    if (!favourite) throw new DomainError("invalid");
    const page = safePath(from?.split("#")[0], HOME);
    const isList = page.split("?")[0] === PATH;
    // On the list of favourites a removed one is gone: the page offers to add it again.
    const back = isList && remove ? `${PATH}?removed=${favouriteKey(remove)}` : `${isList ? PATH : page}#${heartId(favourite.id)}`;
    const role = context.get(sessionContext)?.role;
    if (!role) {
      const login = `${href("/dual-patient")}?redirectTo=${encodeURIComponent(back)}`;
      return add
        ? redirectWithToast(login, m.favourites_login_first(), { type: "info", cookies: [waitingFavouriteCookie(add)] })
        : redirectTo(login);
    }
    if (role !== "patient") return redirectWithToast(page, m.favourites_patients_only(), { type: "error" });
    try {
      await (add ? addFavourite : removeFavourite)(actorCtxOf(context), favourite);
    } catch (error) {
      if (error instanceof DomainError && error.code === "not-found")
        return redirectWithToast(page, m.favourites_gone(), { type: "warning" });
      throw error;
    }
    return stay ? new Response(null, { status: 204 }) : redirectTo(back);
  });
}
