import { NextAppointment } from "#app/domains/appointments/components/next-appointment.tsx";
import { findNextAppointment } from "#app/domains/appointments/queries.server.ts";
import { DoctorCard } from "#app/domains/doctors/components/doctor-card.tsx";
import { listDoctors } from "#app/domains/doctors/queries.server.ts";
import { CATEGORIES, type Category } from "#app/domains/doctors/specialties.ts";
import { getPatientHead } from "#app/domains/patients/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, LoadMore } from "#app/ui/states.tsx";
import type { Route } from "./+types/dashboard.ts";

export const middleware = [requireRole("patient")];

/** Spec 001 §9: nearby doctors come four at a time, a category shows at most four. */
const STEP = 4;
const MOST = 60;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const url = new URL(request.url);
  const category = CATEGORIES.find((c) => c === url.searchParams.get("category")) ?? null;
  const shown = Math.min(MOST, Math.max(STEP, Math.ceil((Number(url.searchParams.get("doctors")) || STEP) / STEP) * STEP));
  const { name, place } = await getPatientHead(ctx);
  const [next, nearby] = await Promise.all([
    category ? null : findNextAppointment(ctx),
    listDoctors(ctx, { near: place, sort: "distance", limit: category ? STEP : shown, ...(category ? { category } : {}) }),
  ]);
  return { name, city: place.name, today: todayInIndia(ctx.now), category, next, nearby, shown };
});

const TILES: Record<Category, { icon: IconName; word: () => string }> = {
  Dentistry: { icon: "tooth", word: () => m.doctors_category_dentistry() },
  Cardiology: { icon: "heart-pulse", word: () => m.doctors_category_cardiology() },
  Pulmonary: { icon: "lungs", word: () => m.doctors_category_pulmonary() },
  General: { icon: "stethoscope", word: () => m.doctors_category_general() },
  Neurology: { icon: "brain", word: () => m.doctors_category_neurology() },
  Gastroen: { icon: "stomach", word: () => m.doctors_category_gastroen() },
  Laboratory: { icon: "test-tube", word: () => m.doctors_category_laboratory() },
  Vaccination: { icon: "syringe", word: () => m.doctors_category_vaccination() },
};

export default function PatientDashboard({ loaderData }: Route.ComponentProps) {
  const { name, city, today, category, next, nearby, shown } = loaderData;
  if (category) return <CategoryView category={TILES[category].word()} {...{ city, today, nearby }} />;
  return (
    <Page wide start={<City name={city} />}>
      <div className="lead">
        <div>
          <h1>{name ? m.patients_greeting({ name: name.split(" ")[0] ?? name }) : m.patients_greeting_plain()}</h1>
          <form className="search" role="search" action="/doctorspages/Cards-data">
            <label className="vh" htmlFor="q">
              {m.doctors_search_label()}
            </label>
            <Icon name="search" />
            <input className="input" id="q" name="q" type="search" placeholder={m.doctors_search_placeholder()} />
          </form>
        </div>
        {next && <NextAppointment appointment={next} today={today} to="/patient/calendar" />}
      </div>
      <section className="section" aria-labelledby="h-cat">
        <h2 id="h-cat" className="mb">
          {m.patients_what_need()}
        </h2>
        <div className="tiles eight">
          {CATEGORIES.map((c) => (
            <AnyLink key={c} to={`/patient-dashboard?category=${c}`}>
              <span className="leafy">
                <Icon name={TILES[c].icon} />
              </span>
              {TILES[c].word()}
            </AnyLink>
          ))}
        </div>
      </section>
      <section className="section" aria-labelledby="h-doc">
        <div className="head">
          <h2 id="h-doc">{m.patients_nearby_doctors()}</h2>
          <AnyLink to="/doctorspages/Cards-data">{m.ui_see_all()}</AnyLink>
        </div>
        {nearby.doctors.length === 0 ? (
          <EmptyState drawing="find" title={m.doctors_none_title()}>
            {m.doctors_none_text()}
          </EmptyState>
        ) : (
          <div className="grid2">
            {nearby.doctors.map((doctor) => (
              <DoctorCard key={doctor.id} doctor={doctor} today={today} />
            ))}
          </div>
        )}
        {shown < Math.min(nearby.total, MOST) && <LoadMore to={`?doctors=${shown + STEP}#h-doc`} label={m.patients_load_more()} />}
      </section>
    </Page>
  );
}

function City({ name }: { name: string }) {
  return (
    <p className="city">
      <Icon name="map-pin" small />
      <span>
        <small className="soft">{m.patients_your_city()}</small>
        <b>{name}</b>
      </span>
    </p>
  );
}

/** Spec 001 §2.3: the filtered view of a category. */
function CategoryView({
  category,
  city,
  today,
  nearby,
}: { category: string } & Pick<Route.ComponentProps["loaderData"], "city" | "today" | "nearby">) {
  return (
    <Page wide title={m.patients_category_doctors({ category })} back={{ to: "/patient-dashboard", label: m.patients_back_to_dashboard() }}>
      <p>
        <LinkButton to="/patient-dashboard" variant="quiet" size="sm" icon="arrow-left" className="flush">
          {m.patients_back_to_dashboard()}
        </LinkButton>
      </p>
      {nearby.total === 0 ? (
        <EmptyState
          drawing="find"
          title={m.patients_category_none({ category, city })}
          action={<LinkButton to="/doctorspages/Cards-data">{m.doctors_all()}</LinkButton>}
        />
      ) : (
        <>
          <p className="soft mb">{m.patients_doctor_count({ count: nearby.total })}</p>
          <div className="grid2">
            {nearby.doctors.map((doctor) => (
              <DoctorCard key={doctor.id} doctor={doctor} today={today} />
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.ui_place_home() }) }];
