import { create } from "content-disposition";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { getPublicDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { contactCard } from "#app/domains/directory/share-cards/contact-card.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Route } from "./+types/contact-card.ts";

/** `/details/doctor/{id}/contact.vcf`: a doctor's contact for the address book of a phone. */
export const loader = loadOpen(async (ctx, { params }: Route.LoaderArgs) => {
  const doctor = await getPublicDoctor(ctx, params.id);
  const { hospitalName: name, hospitalAddress: address, hospitalCity: city, hospitalPhone: phone, hospitalPinCode: pinCode } = doctor;
  const card = contactCard({
    name: doctor.name,
    specialization: specialtyWord(doctor.specialization),
    hospital: name && address ? { name, address, city: city ?? doctor.city, pinCode, phone } : null,
    url: `${env().appUrl.origin}/details/doctor/${doctor.id}`,
  });
  return new Response(card, {
    headers: {
      "Content-Type": "text/vcard; charset=utf-8",
      "Content-Disposition": create(`${doctor.name}.vcf`, { fallback: "doctor.vcf" }),
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
    },
  });
});
