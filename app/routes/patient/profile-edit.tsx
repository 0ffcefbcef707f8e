import { href } from "react-router";
import { type ProfileForm, profileFormOn } from "#app/domains/patients/profile/profile.schema.ts";
import { getPatientProfile } from "#app/domains/patients/profile/queries.server.ts";
import { savePatientProfile } from "#app/domains/patients/profile/save-profile.server.ts";
import { PhotoField } from "#app/domains/platform/files/components/photo-field.tsx";
import { MAX_IMAGE_MB } from "#app/domains/platform/files/upload-limits.ts";
import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { cameFrom, redirectWithToast } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { photoUpload } from "#app/http/uploads.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Checkbox, type Field, FieldFrame, Form, RadioPicks, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Disc } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile-edit.ts";

// One photo of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const profile = await withUnavailableMessage(m.profile_fetch_failed, () => getPatientProfile(ctx));
  return { id: ctx.actor.userId, profile, today: todayInIndia(ctx.now), back: cameFrom(request, "patient", href("/patient/profile/edit")) };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(
    request,
    profileFormOn(todayInIndia(ctx.now)),
    async (input) => {
      await withUnavailableMessage(m.profile_update_failed, () => savePatientProfile(ctx, input));
      return redirectWithToast(href("/patient/profile"), m.profile_updated());
    },
    { uploads: photoUpload(ctx, "patient-photo") },
  );
}

export default function ProfileEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { id, profile, today, back } = loaderData;
  const [form, fields] = useNadiForm<ProfileForm & { phone: string }>({
    id: "profile",
    lastResult: actionData?.result,
    defaultValue: profile,
  });
  const photo = profile.photoFileId && href("/files/:id", { id: profile.photoFileId });
  return (
    <Page wizard title={m.profile_edit()} back={{ to: back }}>
      <Form form={form} encType="multipart/form-data">
        <p className="row mb-3">
          <Disc id={id} name={profile.name ?? ""} photo={photo} size="lg" />
          <LinkButton to="#profile-photo" variant="quiet">
            {m.own_photo_change()}
          </LinkButton>
        </p>
        <TextField field={fields.name} label={m.own_full_name()} autoComplete="name" maxLength={MAX_LINE} required />
        {fixedPhone({ field: fields.phone, phone: profile.phone })}
        <TextField
          field={fields.dateOfBirth}
          label={m.own_birth()}
          hint={m.own_birth_hint()}
          optional
          type="date"
          max={today}
          autoComplete="bday"
        />
        <RadioPicks field={fields.gender} label={m.own_gender()} optional columns options={genderOptions()} />
        <Checkbox field={fields.noAllergies} label={m.own_no_allergies()} />
        {/* Last, so that fields before it arrive when an image is too large. */}
        <section className="mt-7 mb-3" aria-labelledby="h-photo">
          <h2 id="h-photo" className="mb-3">
            {m.own_photo()}
          </h2>
          <PhotoField
            who={{ id, name: profile.name ?? "", photo }}
            hint={m.own_photo_hint({ megabytes: String(MAX_IMAGE_MB) })}
            ready={m.own_photo_received()}
            field={fields.photo}
            remove={fields.removePhoto}
            received={fields.photoReceived}
          />
        </section>
        <Dock>
          <SubmitButton size="lg" full pendingText={m.profile_updating()}>
            {m.own_save()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

/** A function, not a component, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
const fixedPhone = ({ field, phone }: { field: Field; phone: Route.ComponentProps["loaderData"]["profile"]["phone"] }) => (
  <FieldFrame field={field} label={m.own_phone()} hint={m.own_phone_hint()}>
    {/* Without a name, so that it is never sent. */}
    <input
      className="input num"
      type="tel"
      id={field.id}
      aria-describedby={field.descriptionId}
      value={phone ? formatPhone(phone) : ""}
      readOnly
    />
  </FieldFrame>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.profile_edit() }) }];
