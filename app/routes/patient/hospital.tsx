import { redirect } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { getPublicHospital } from "#app/domains/hospitals/directory.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Facts, Leafy } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital.ts";

export const handle = { cache: 15, more: true };

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const hospital = await getPublicHospital(ctxOf(context), params.id);
  if (hospital.mergedInto) throw redirect(`/hospital/${hospital.mergedInto}`, 301);
  return { hospital };
});

export default function HospitalPage({ loaderData }: Route.ComponentProps) {
  const { hospital } = loaderData;
  return (
    <Page title={m.directory_hospital()} titleAs="p" back={{ to: "/hospitalpages/Cards-data", label: m.directory_back_to_hospitals() }}>
      <div className="row top-al">
        <Leafy icon="hospital" />
        <div className="grow">
          <h1>{hospital.name}</h1>
          <p className="soft">{hospital.specialties.join(", ")}</p>
          <Rating rating={hospital.rating} />
        </div>
      </div>
      <section className="section" aria-labelledby="contact">
        <h2 id="contact">{m.directory_contact()}</h2>
        <Facts
          className="mt"
          items={[
            [m.directory_address(), hospital.address],
            [m.directory_email(), hospital.email],
            [m.directory_contact(), hospital.phone && formatPhone(hospital.phone)],
          ]}
        />
      </section>
      {hospital.about && (
        <section className="section" aria-labelledby="about">
          <h2 id="about">{m.directory_about()}</h2>
          <p className="mt pre">{hospital.about}</p>
        </section>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? loaderData.hospital.name : m.directory_hospital() }) },
];
