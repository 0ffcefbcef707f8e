import { href, redirect } from "react-router";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { getPublicHospital } from "#app/domains/directory/hospitals/directory.server.ts";
import { ListEnd } from "#app/domains/directory/search/components/list-parts.tsx";
import { readListState, stepId } from "#app/domains/directory/search/list-state.ts";
import { hospitalCardPath } from "#app/domains/directory/share-cards/content.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/hospital-doctors.ts";

export const handle = { cache: 15 };

const pathOf = (id: string) => href("/hospital/:id/doctors", { id });

export const loader = loadOpen((ctx, { context, params, request, url }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_hospital_doctors, async () => {
    const hospital = await getPublicHospital(ctx, params.id, m.directory_hospital_unknown());
    if (hospital.mergedInto) throw redirect(pathOf(hospital.mergedInto), 301);
    const state = readListState(url.searchParams, ["default"]);
    const near = await nearOf(context, request);
    const found = await listDoctors(ctx, { hospitalId: hospital.id, near, limit: state.show, offset: state.from });
    const liked = await favouritesAmong(
      ctx,
      found.doctors.map(({ id }) => id),
    );
    const { origin } = env().appUrl;
    const card = ctx.actor ? null : hospitalCardPath(hospital);
    return { hospital, ...found, liked, state: { ...state, text: "" }, today: todayInIndia(ctx.now), card, origin };
  }),
);

export default function HospitalDoctors({ loaderData }: Route.ComponentProps) {
  const { hospital, doctors, total, uncounted, liked, state, today } = loaderData;
  const home = href("/hospital/:id", { id: hospital.id });
  return (
    <Page wide title={m.directory_doctors_of({ name: hospital.name })} back={{ to: home, label: m.directory_back_to_hospital() }}>
      <Facts
        className="mb-3"
        items={[
          [m.directory_specialties(), hospital.specialties.map(specialtyWord).join(", ")],
          [m.directory_address(), hospital.address],
          [m.directory_hours(), hospital.workingHours],
          [m.directory_contact(), hospital.phone && formatPhone(hospital.phone)],
          [m.directory_doctor_count(), String(hospital.doctors)],
        ]}
      />
      {doctors.length === 0 ? (
        <EmptyState
          drawing="find"
          title={m.directory_no_doctors_title()}
          action={<LinkButton to={href("/doctorspages/Cards-data")}>{m.doctors_all()}</LinkButton>}
        >
          {m.directory_no_doctors()}
        </EmptyState>
      ) : (
        <>
          <h2 className="sr-only">{m.directory_doctors()}</h2>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {doctors.map((doctor, i) => (
              <DoctorCard key={doctor.id} id={stepId(state.from + i)} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />
            ))}
          </div>
          <ListEnd path={pathOf(hospital.id)} state={state} shown={doctors.length} total={total} uncounted={uncounted} />
        </>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: m.ui_title({ page: m.directory_doctors() }) }];
  const { name, city, id } = loaderData.hospital;
  const title = m.directory_doctors_of({ name });
  if (matches[1].loaderData?.patient) return [{ title: m.ui_title({ page: title }) }];
  const { origin, card } = loaderData;
  return publicPage({ title, description: m.directory_hospital_doctors_description({ name, city }), url: origin + pathOf(id), card });
};
