import type { ReactNode } from "react";
import { href } from "react-router";
import { listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { OwnChanges } from "#app/domains/credentials/profile-changes/components/own-changes.tsx";
import { getOwnProfile, listOwnChanges, type OwnProfile } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { profileFormOn } from "#app/domains/credentials/profile-changes/profile.schema.ts";
import { maskedAccount } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { saveProfile } from "#app/domains/credentials/profile-changes/save-profile.server.ts";
import { categoryName, EDIT_CATEGORIES } from "#app/domains/directory/doctors/edit-categories.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { PhotoField } from "#app/domains/platform/files/components/photo-field.tsx";
import { MAX_IMAGE_MB } from "#app/domains/platform/files/upload-limits.ts";
import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { cameFrom, redirectWithToast } from "#app/http/redirects.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { photoUpload } from "#app/http/uploads.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { rupeesPlain } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { type Field, Form, RadioPicks, SelectField, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Disc, Facts } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile-edit.ts";

// One photo of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { context, request }: Route.LoaderArgs) => {
  const [profile, changes, hospitals] = await withUnavailableMessage(m.profile_load_failed, () =>
    Promise.all([getOwnProfile(ctx), listOwnChanges(ctx), listHospitalOptions(ctx, "")]),
  );
  return {
    profile,
    changes,
    hospitals: hospitals.options,
    moreHospitals: hospitals.total > hospitals.options.length,
    back: cameFrom(request, "doctor", href("/doctor/profile/edit")),
    unsent: await unsentForm({ context, request }),
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitGuardedForm(
    { context, request },
    profileFormOn(todayInIndia(ctx.now)),
    async (input) => {
      await withUnavailableMessage(m.profile_update_failed, () => saveProfile(ctx, input));
      return redirectWithToast(href("/doctor/profile"), m.profile_updated());
    },
    { uploads: photoUpload(ctx, "doctor-photo") },
  );
}

/** Converts the profile to the text of its fields. */
const typedOf = (p: OwnProfile) => ({
  fullName: p.name,
  nameInTelugu: p.nameInTelugu,
  nameInHindi: p.nameInHindi,
  primarySpecialization: p.specialization,
  additionalSpecializations: p.additionalSpecializations,
  category: categoryName(p.category),
  experienceYears: String(p.experienceYears),
  consultationFee: p.fee === null ? "" : rupeesPlain(p.fee).replace(/\.00$/, ""),
  about: p.about,
  gender: p.gender ?? "",
  dateOfBirth: p.dateOfBirth ?? "",
  languages: p.languages.join(", "),
  councilName: p.councilName ?? "",
  councilNumber: p.councilNumber ?? "",
  councilYear: p.councilYear === null ? "" : String(p.councilYear),
  bankName: p.bank?.bankName ?? "",
  bankBranch: p.bank?.bankBranch ?? "",
  accountHolderName: p.bank?.accountHolderName ?? "",
  ifscCode: p.bank?.ifscCode ?? "",
});
type Typed = ReturnType<typeof typedOf>;
type Fields = Typed & {
  hospitalId: string;
  hospitalName: string;
  hospitalAddress: string;
  contactNumber: string;
  accountNumber: string;
  photo: string;
  photoReceived: string;
  removePhoto: boolean;
};

type Data = Route.ComponentProps["loaderData"];
/**
 * The parts of the form are functions, not components, because the summary of errors finds the labels of fields only in what the page
 * wrote (ui/error-summary.tsx). `hint`: the usual hint of a field, or its saved value if that differs from the typed one.
 */
type PartProps = { fields: Record<keyof Fields, Field>; hint: (name: keyof Typed, usual?: ReactNode) => ReactNode };

export default function ProfileEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { profile, changes, back, unsent } = loaderData;
  const saved = typedOf(profile);
  const [form, fields] = useNadiForm<Fields>({ id: "profile", lastResult: actionData?.result ?? unsent, defaultValue: saved });
  const stale = (actionData?.detail as { stale?: boolean } | undefined)?.stale === true;
  const hint: PartProps["hint"] = (name, usual) => {
    const typed = fields[name].initialValue ?? "";
    if (!stale || typed === saved[name]) return usual;
    return m.profile_saved_now({ value: saved[name] || m.profile_empty() });
  };
  return (
    <Page wizard title={m.profile_edit()} back={{ to: back }}>
      <OwnChanges changes={changes} brief />
      <Form form={form} encType="multipart/form-data">
        <input type="hidden" name="version" value={profile.version} />
        {basicPart({ profile, fields, hint })}
        {personalPart({ fields, hint })}
        {hospitalPart({ ...loaderData, fields })}
        {bankingPart({ profile, fields, hint })}
        {/* Last, so that fields before it arrive when an image is too large. */}
        <section className="mt-7 mb-3" aria-labelledby="h-photo">
          <h2 id="h-photo" className="mb-3">
            {m.profile_photo()}
          </h2>
          <PhotoField
            who={{ id: profile.id, name: profile.name, photo: photoPath(profile.photo) }}
            hint={m.profile_photo_hint({ megabytes: String(MAX_IMAGE_MB) })}
            ready={m.profile_photo_received()}
            field={fields.photo}
            remove={fields.removePhoto}
            received={fields.photoReceived}
          />
        </section>
        <Dock>
          <SubmitButton size="lg" full pendingText={m.profile_updating()}>
            {m.profile_save()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

function basicPart({ profile, fields, hint }: PartProps & Pick<Data, "profile">) {
  return (
    <section aria-labelledby="h-basic">
      <h2 id="h-basic">{m.profile_basic()}</h2>
      <p className="row mb-3 mt-2 alone">
        <Disc id={profile.id} name={profile.name} photo={photoPath(profile.photo)} />
        <a href="#profile-photo">{m.profile_photo_change()}</a>
      </p>
      {nameFields({ fields, hint })}
      <TextField
        field={fields.primarySpecialization}
        label={m.profile_specialization()}
        hint={hint("primarySpecialization")}
        maxLength={MAX_LINE}
        required
      />
      <TextField
        field={fields.additionalSpecializations}
        label={m.profile_more_specializations()}
        hint={hint("additionalSpecializations")}
        optional
        maxLength={300}
      />
      <SelectField
        field={fields.category}
        label={m.profile_category()}
        hint={hint("category")}
        options={categoriesWith(categoryName(profile.category))}
      />
      <TextField
        field={fields.experienceYears}
        label={m.profile_experience()}
        hint={hint("experienceYears")}
        inputMode="numeric"
        maxLength={3}
        required
      />
      <TextField
        field={fields.consultationFee}
        label={m.profile_fee()}
        hint={hint("consultationFee", m.profile_fee_hint())}
        inputMode="decimal"
        maxLength={12}
        required
      />
      <TextArea
        field={fields.about}
        label={m.profile_about()}
        hint={hint("about", m.profile_about_hint())}
        rows={5}
        maxLength={3000}
        required
      />
    </section>
  );
}

/** Returns the categories to choose from, with the saved one. */
function categoriesWith(saved: string) {
  const categories = EDIT_CATEGORIES.map((c) => c.name as string);
  return [...categories, ...(categories.includes(saved) ? [] : [saved])].map((value) => ({ value, label: specialtyWord(value) }));
}

const nameFields = ({ fields, hint }: PartProps) => (
  <>
    <TextField
      field={fields.fullName}
      label={m.profile_full_name()}
      hint={hint("fullName", m.profile_reviewed_hint())}
      autoComplete="name"
      maxLength={MAX_LINE}
      required
    />
    <TextField
      field={fields.nameInTelugu}
      label={m.ownnames_telugu_own()}
      hint={hint("nameInTelugu", m.ownnames_telugu_hint())}
      lang="te"
      optional
      maxLength={MAX_LINE}
    />
    <TextField
      field={fields.nameInHindi}
      label={m.ownnames_hindi_own()}
      hint={hint("nameInHindi", m.ownnames_hindi_hint())}
      lang="hi"
      optional
      maxLength={MAX_LINE}
    />
  </>
);

const personalPart = ({ fields, hint }: PartProps) => (
  <section className="mt-7" aria-labelledby="h-personal">
    <h2 id="h-personal" className="mb-3">
      {m.profile_personal()}
    </h2>
    <RadioPicks field={fields.gender} label={m.profile_gender()} hint={hint("gender")} columns options={genderOptions()} />
    <TextField field={fields.dateOfBirth} label={m.profile_birth()} hint={hint("dateOfBirth")} type="date" autoComplete="bday" required />
    <TextField
      field={fields.languages}
      label={m.profile_languages()}
      hint={hint("languages", m.profile_languages_hint())}
      optional
      maxLength={400}
    />
    {registrationFields({ fields, hint })}
  </section>
);

const registrationFields = ({ fields, hint }: PartProps) => (
  <>
    <h3 className="mt-7">{m.profile_registration()}</h3>
    <p className="text-sm text-ink-soft mb-3">{m.profile_reviewed_hint()}</p>
    <TextField field={fields.councilName} label={m.profile_council_name()} hint={hint("councilName")} maxLength={MAX_LINE} required />
    <TextField
      field={fields.councilNumber}
      label={m.profile_council_number()}
      hint={hint("councilNumber")}
      maxLength={60}
      autoCapitalize="characters"
      required
    />
    <TextField
      field={fields.councilYear}
      label={m.profile_council_year()}
      hint={hint("councilYear")}
      inputMode="numeric"
      maxLength={4}
      required
    />
  </>
);

function hospitalPart({
  profile,
  hospitals,
  moreHospitals,
  fields,
}: Pick<PartProps, "fields"> & Pick<Data, "profile" | "hospitals" | "moreHospitals">) {
  const moving = ["hospitalId", "hospitalName", "hospitalAddress", "contactNumber"] as const;
  const isMoving = moving.some((name) => fields[name].initialValue || fields[name].errors);
  return (
    <section className="mt-7" aria-labelledby="h-hospital">
      <h2 id="h-hospital" className="mb-3">
        {m.profile_hospital()}
      </h2>
      {profile.hospital && (
        <Facts
          items={[
            [m.profile_hospital_name(), profile.hospital.name],
            [m.profile_hospital_address(), profile.hospital.address],
            [m.profile_hospital_phone(), profile.hospital.phone && formatPhone(profile.hospital.phone)],
          ]}
        />
      )}
      <details className="mt-4" open={isMoving || profile.hospital === null}>
        <summary>{m.profile_hospital_move()}</summary>
        <p className="text-sm text-ink-soft mb-3">{m.profile_reviewed_hint()}</p>
        <SelectField
          field={fields.hospitalId}
          label={m.profile_hospital_choose()}
          {...(moreHospitals ? { hint: m.profile_hospital_first({ count: String(hospitals.length) }) } : {})}
          placeholder={m.profile_hospital_keep()}
          options={hospitals.filter((h) => h.id !== profile.hospital?.id).map((h) => ({ value: h.id, label: `${h.name}, ${h.address}` }))}
        />
        <h3 className="mt-4 mb-3">{m.profile_hospital_unlisted()}</h3>
        <TextField field={fields.hospitalName} label={m.profile_hospital_name()} optional maxLength={200} />
        <TextField field={fields.hospitalAddress} label={m.profile_hospital_address()} optional maxLength={400} />
        <TextField field={fields.contactNumber} label={m.profile_hospital_contact()} optional type="tel" maxLength={30} />
      </details>
    </section>
  );
}

const bankingPart = ({ profile, fields, hint }: PartProps & Pick<Data, "profile">) => (
  <section className="mt-7" aria-labelledby="h-banking">
    <h2 id="h-banking">{m.profile_banking()}</h2>
    <p className="text-sm text-ink-soft mb-3">{m.profile_reviewed_hint()}</p>
    <TextField field={fields.bankName} label={m.profile_bank_name()} hint={hint("bankName")} maxLength={MAX_LINE} />
    <TextField field={fields.bankBranch} label={m.profile_bank_branch()} hint={hint("bankBranch")} maxLength={MAX_LINE} />
    <TextField field={fields.accountHolderName} label={m.profile_account_holder()} hint={hint("accountHolderName")} maxLength={MAX_LINE} />
    <TextField
      field={fields.accountNumber}
      label={m.profile_account()}
      hint={profile.bank ? m.profile_account_kept({ number: maskedAccount(profile.bank.accountLast4) }) : m.profile_account_hint()}
      inputMode="numeric"
      autoComplete="off"
      maxLength={24}
    />
    <TextField
      field={fields.ifscCode}
      label={m.profile_ifsc()}
      hint={hint("ifscCode")}
      autoCapitalize="characters"
      autoComplete="off"
      maxLength={14}
    />
  </section>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.profile_edit() }) }];
