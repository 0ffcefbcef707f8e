import { type ReactNode, useId } from "react";
import { href } from "react-router";
import { listOwnDocuments } from "#app/domains/credentials/application/documents.server.ts";
import { MaskedNumber, masked } from "#app/domains/credentials/cases/components/case-facts.tsx";
import { documentWord, statusWord } from "#app/domains/credentials/cases/words.ts";
import { OwnChanges } from "#app/domains/credentials/profile-changes/components/own-changes.tsx";
import { getOwnProfile, listOwnChanges } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { maskedAccount } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { languageWord, specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Badge, Disc, Facts } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/profile-view.ts";

export const loader = loadOwn(async (ctx) => {
  const [profile, documents, changes] = await withUnavailableMessage(m.profile_load_failed, () =>
    Promise.all([getOwnProfile(ctx), listOwnDocuments(ctx), listOwnChanges(ctx)]),
  );
  return { profile, documents: documents.map(({ kind, fileId }) => ({ kind, fileId })), changes };
});

type Data = Route.ComponentProps["loaderData"];

export default function ProfileView({ loaderData }: Route.ComponentProps) {
  const { profile: p, documents, changes } = loaderData;
  return (
    <Page title={m.profile_view()} back={{ to: href("/doctor/profile") }}>
      <OwnChanges changes={changes} />
      <div className="row flex-wrap items-start">
        <Disc id={p.id} name={p.name} photo={photoPath(p.photo)} size="lg" />
        <div className="grow">
          <h2>{p.name}</h2>
          <p className="text-ink-soft">{specialtyWord(p.specialization)}</p>
          <p>
            <Badge tone="ok" icon="badge-check">
              {statusWord(p.status)}
            </Badge>
          </p>
        </div>
      </div>
      <BasicPart profile={p} />
      <PersonalPart profile={p} />
      <Part
        title={m.profile_registration()}
        facts={[
          [m.profile_council_name(), p.councilName],
          [m.profile_council_number(), p.councilNumber],
          [m.profile_council_year(), p.councilYear],
          [
            m.profile_qualifications(),
            p.qualifications.length > 0 && (
              <ul>
                {p.qualifications.map((q) => (
                  <li key={`${q.degree} ${q.year}`}>{[q.degree, q.universityCollege, q.year].filter(Boolean).join(", ")}</li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <Part
        title={m.profile_hospital()}
        facts={[
          [m.profile_hospital_name(), p.hospital?.name],
          [m.profile_hospital_address(), p.hospital?.address],
          [m.profile_hospital_phone(), p.hospital?.phone && formatPhone(p.hospital.phone)],
        ]}
      />
      <BankingPart profile={p} />
      {documents.length > 0 && <Documents documents={documents} />}
      <p className="mt-7 text-sm text-ink-soft mb-3">{m.profile_fixed()}</p>
      <LinkButton to={href("/doctor/profile/edit")} full icon="pencil">
        {m.profile_edit()}
      </LinkButton>
    </Page>
  );
}

const BankingPart = ({ profile: p }: Pick<Data, "profile">) => (
  <Part
    title={m.profile_banking()}
    facts={[
      [m.profile_bank_name(), p.bank?.bankName],
      [m.profile_bank_branch(), p.bank?.bankBranch],
      [m.profile_account_holder(), p.bank?.accountHolderName],
      [m.profile_account(), p.bank && maskedAccount(p.bank.accountLast4)],
      [m.profile_ifsc(), p.bank?.ifscCode],
    ]}
  />
);

const BasicPart = ({ profile: p }: Pick<Data, "profile">) => (
  <Part
    title={m.profile_basic()}
    facts={[
      [m.ownnames_telugu(), p.nameInTelugu && <span lang="te">{p.nameInTelugu}</span>],
      [m.ownnames_hindi(), p.nameInHindi && <span lang="hi">{p.nameInHindi}</span>],
      [m.profile_specialization(), specialtyWord(p.specialization)],
      [m.profile_more_specializations(), p.additionalSpecializations],
      [m.profile_category(), specialtyWord(p.category)],
      [m.doctors_experience(), m.profile_experience_years({ years: String(p.experienceYears) })],
      [m.profile_fee_shown(), p.fee === null ? m.doctors_fee_unknown() : formatRupees(p.fee)],
      [
        m.profile_about(),
        <span key="a" className="whitespace-pre-line">
          {p.about}
        </span>,
      ],
    ]}
  />
);

const PersonalPart = ({ profile: p }: Pick<Data, "profile">) => (
  <Part
    title={m.profile_personal()}
    facts={[
      [m.profile_gender(), p.gender && genderWord(p.gender)],
      // Spec 000 §3: format yyyy-mm-dd.
      [m.profile_birth(), p.dateOfBirth],
      [m.profile_languages(), p.languages.map(languageWord).join(", ")],
      [m.profile_place(), [p.city, p.state].filter(Boolean).join(", ")],
      [m.profile_email(), p.email],
      [m.profile_phone(), p.phone && formatPhone(p.phone)],
      [
        m.profile_aadhaar(),
        p.aadhaarLast4 && <MaskedNumber key="n" number="aadhaar" last4={p.aadhaarLast4} base={null} erasedAt={p.aadhaarErasedAt} />,
      ],
      [m.profile_pan(), p.panLast4 && masked("pan", p.panLast4)],
    ]}
  />
);

const Documents = ({ documents }: Pick<Data, "documents">) => (
  <section className="card mt-7" aria-labelledby="h-documents">
    <h2 id="h-documents">{m.profile_documents()}</h2>
    <ul className="space-y-4 mt-2">
      {documents.map(({ kind, fileId }, i) => (
        <li key={fileId}>
          <AnyLink to={href("/files/:id", { id: fileId })}>
            {documentWord(kind)}
            {documents.filter((d) => d.kind === kind).length > 1 && ` ${i + 1 - documents.findIndex((d) => d.kind === kind)}`}
          </AnyLink>
        </li>
      ))}
    </ul>
  </section>
);

/** A section of facts. Shows a note for missing values. */
function Part({ title, facts }: { title: string; facts: [name: string, value: ReactNode][] }) {
  const id = useId();
  return (
    <section className="card mt-7" aria-labelledby={id}>
      <h2 id={id} className="mb-3">
        {title}
      </h2>
      <Facts
        items={facts.map(([name, value]) => [
          name,
          value || (
            <span key="n" className="text-ink-soft">
              {m.profile_not_given()}
            </span>
          ),
        ])}
      />
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.profile_view() }) }];
