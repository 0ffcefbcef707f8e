import { href } from "react-router";
import { CityAndState } from "#app/domains/clinic/practices/components/city-and-state.tsx";
import { FeeField, TermsFields } from "#app/domains/clinic/practices/components/terms-fields.tsx";
import { openUnlistedPractice } from "#app/domains/clinic/practices/open-practice.server.ts";
import { UnlistedPlaceSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getOwnProfile } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add-unlisted.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx) => {
  const { city, state } = await getOwnProfile(ctx);
  return { city, state };
});

export const action = submitOwn(UnlistedPlaceSchema, async (ctx, input) => {
  const { id, waits } = await openUnlistedPractice(ctx, input);
  return redirectWithToast(href("/doctor/practices/:id/hours", { id }), waits ? m.practices_unlisted_entered() : m.practices_opened());
});

type Fields = Record<"name" | "address" | "city" | "state" | "phone" | "fee" | "slotMinutes" | "patientsPerSlot", string>;

/** Enters a hospital or clinic of others that is not listed, with a practice there. */
export default function PracticeAddUnlisted({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<Fields>({
    id: "unlisted",
    lastResult: actionData?.result,
    defaultValue: { ...loaderData, slotMinutes: "30", patientsPerSlot: "1" },
  });
  return (
    <Page title={m.practices_unlisted()} back={{ to: href("/doctor/practices/add"), label: m.practices_add() }}>
      <p className="text-ink-soft mb-3">{m.practices_unlisted_text()}</p>
      <Form form={form}>
        <TextField field={fields.name} label={m.practices_unlisted_name()} autoComplete="organization" maxLength={200} required />
        <TextField field={fields.address} label={m.practices_own_street()} autoComplete="address-line1" maxLength={400} required />
        <div className="field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2">
          <CityAndState city={fields.city} state={fields.state} />
        </div>
        <TextField field={fields.phone} label={m.practices_own_phone()} type="tel" inputMode="tel" maxLength={30} required />
        <FeeField field={fields.fee} />
        <TermsFields slotMinutes={fields.slotMinutes} patientsPerSlot={fields.patientsPerSlot} />
        <Dock>
          <SubmitButton size="lg">{m.practices_add_yes()}</SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_unlisted() }) }];
