import { href } from "react-router";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { answerEnquiry } from "#app/domains/guidance/enquiry/answer-enquiry.ts";
import { EnquiryForm } from "#app/domains/guidance/enquiry/components/enquiry-form.tsx";
import { doctorsPath, sosPath } from "#app/domains/guidance/enquiry/components/enquiry-paths.ts";
import { EnquirySchema } from "#app/domains/guidance/enquiry/enquiry.schema.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/enquiry.ts";

export const loader = load(() => null);

/** Spec 001 §2.4: the form of the dialog as a page, for browsers without JavaScript. */
export function action({ request }: Route.ActionArgs) {
  return submitForm(request, EnquirySchema, async (input) => {
    const { isEmergency, doctors } = answerEnquiry(input);
    if (isEmergency || !doctors) return redirectTo(sosPath(doctors));
    const found = "specialty" in doctors ? m.enquiry_specialty({ specialty: specialtyWord(doctors.specialty) }) : m.enquiry_done();
    return redirectWithToast(doctorsPath(doctors), found, { stays: true });
  });
}

export default function EnquiryPage({ actionData }: Route.ComponentProps) {
  return (
    <Page title={m.enquiry_title()} back={{ to: href("/patient-dashboard"), label: m.patients_back_to_dashboard() }}>
      <p className="text-ink-soft mb-3">{m.enquiry_text()}</p>
      <EnquiryForm id="ask" result={actionData?.result} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.enquiry_place() }) }];
