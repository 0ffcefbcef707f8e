import type { SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { languageWord, specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { contradicts } from "#app/domains/directory/specialties.ts";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { ageOn, formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import type { CaseFile } from "../case-file.ts";
import { numberWord } from "../words.ts";

/** "•••• •••• 0124": only the last four digits. A reveal shows the others and writes an audit row. */
export const masked = (number: SealedNumber, last4: string) =>
  `${number === "aadhaar" ? "•••• ••••" : number === "pan" ? "••••••" : "•••••••"} ${last4}`;

/** A number with its last digits and a link to reveal it. `base`: the URL of the case. */
export function MaskedNumber({
  number,
  last4,
  base,
  erasedAt = null,
}: {
  number: SealedNumber;
  last4: string | null;
  base: string | null;
  erasedAt?: Date | null;
}) {
  if (!last4) return <>{m.cases_no_number()}</>;
  return (
    <>
      <span className="num">{masked(number, last4)}</span>{" "}
      {erasedAt && <span className="text-sm text-ink-soft">{m.cases_erased_on({ date: formatDate(todayInIndia(erasedAt)) })}</span>}
      {base && !erasedAt && (
        <AnyLink className="text-sm" to={`${base}/reveal/${number}`}>
          {m.cases_show_and_log()} <span className="sr-only">{m.cases_show_and_log_of({ number: numberWord(number) })}</span>
        </AnyLink>
      )}
    </>
  );
}

/** "12 Nov 1988, 38 years" */
export const bornWords = (dateOfBirth: string | null, now: Date) =>
  dateOfBirth && m.cases_born_age({ date: formatDate(dateOfBirth), age: String(ageOn(dateOfBirth, todayInIndia(now))) });

const NMC_REGISTER = "https://www.nmc.org.in/information-desk/indian-medical-register/";
/** Link to the public register of the National Medical Commission. */
export const NmcLink = () => (
  <a className="text-sm" href={NMC_REGISTER} target="_blank" rel="noopener noreferrer">
    {m.cases_nmc_check()}
  </a>
);

/** The professional details of the doctor. */
export function ProfessionalFacts({ file, base, now }: { file: CaseFile; base: string; now: Date }) {
  return (
    <section className="card mt-7" aria-labelledby="h-professional">
      <h2 id="h-professional" className="mb-3">
        {m.cases_professional()}
      </h2>
      {contradicts(file.category, file.specialization) && (
        <Note tone="warn" className="mb-3">
          {m.cases_category_contradicts({ category: specialtyWord(file.category), specialty: specialtyWord(file.specialization) })}
        </Note>
      )}
      <Facts
        items={[
          [m.cases_gender(), file.gender && genderWord(file.gender)],
          [m.cases_born(), bornWords(file.dateOfBirth, now)],
          [m.cases_category(), specialtyWord(file.category)],
          [m.cases_specialization(), specialtyWord(file.specialization)],
          [m.cases_additional(), file.additional],
          [m.cases_experience(), m.cases_experience_years({ years: String(file.experienceYears) })],
          [
            m.cases_council(),
            <span key="m">
              {[file.councilName, file.councilNumber, file.councilYear].filter(Boolean).join(", ")} {file.councilNumber && <NmcLink />}
            </span>,
          ],
          [m.cases_qualifications(), <Qualifications key="q" of={file.qualifications} />],
          [m.cases_languages(), file.languages.map(languageWord).join(", ")],
          [m.cases_fee(), file.fee === null ? null : formatRupees(file.fee)],
          [m.cases_place(), [file.city, file.state].filter(Boolean).join(", ")],
          [
            m.cases_hospital(),
            file.hospital &&
              [file.hospital.name, file.hospital.address, file.hospital.phone && formatPhone(file.hospital.phone)]
                .filter(Boolean)
                .join(", "),
          ],
          [
            m.cases_contact(),
            <span key="c">
              {file.email}
              {file.phone && <span className="num block">{formatPhone(file.phone)}</span>}
            </span>,
          ],
          [m.cases_pan(), <MaskedNumber key="p" number="pan" last4={file.panLast4} base={base} />],
          [m.cases_about(), file.about && <span className="whitespace-pre-line">{file.about}</span>],
        ]}
      />
    </section>
  );
}

export const Qualifications = ({ of }: { of: CaseFile["qualifications"] }) =>
  of.length > 0 && (
    <ul>
      {of.map((q) => (
        <li key={`${q.degree} ${q.year}`}>{[q.degree, q.universityCollege, q.year].filter(Boolean).join(", ")}</li>
      ))}
    </ul>
  );

/** The doctor's bank account. */
export function BankFacts({ file, base }: { file: CaseFile; base: string }) {
  const { bank } = file;
  return (
    <section className="card mt-7" aria-labelledby="h-bank">
      <h2 id="h-bank" className="mb-3">
        {m.cases_bank()}
      </h2>
      {bank ? (
        <Facts
          items={[
            [m.cases_holder(), bank.accountHolderName],
            [m.cases_account(), <MaskedNumber key="a" number="account" last4={bank.accountLast4} base={base} />],
            [m.cases_bank_name(), bank.bankName],
            [
              m.cases_ifsc(),
              <span key="i" className="num">
                {bank.ifscCode}
              </span>,
            ],
            [m.cases_branch(), bank.bankBranch],
          ]}
        />
      ) : (
        <p className="text-ink-soft">{m.cases_no_bank()}</p>
      )}
    </section>
  );
}
