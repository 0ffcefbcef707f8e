import { pastStatusWord } from "#app/domains/clinic/imports/words.ts";
import { genderWord } from "#app/domains/platform/users/gender.ts";
import { ageWord } from "#app/lib/age.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Badge, Facts, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Data } from "./import-parts.tsx";
import type { loadRegistered } from "./moving.server.ts";

/** A patient of the register: what the clinic brought of them. */
export function Registered({ data: { patient, paths, clinicName } }: { data: Data<typeof loadRegistered> }) {
  const { history, visits, phone } = patient;
  return (
    <Page title={patient.name} back={{ to: paths.register, label: clinicName }}>
      <section className="card" aria-labelledby="h-brought">
        <SectionHead>
          <h2 id="h-brought">{m.import_patient_brought()}</h2>
          <Badge>{m.import_patient_imported()}</Badge>
        </SectionHead>
        <Facts
          items={[
            [m.import_field_phone(), phone && <a href={`tel:${phone}`}>{formatPhone(phone)}</a>],
            [m.import_field_number(), patient.number],
            [m.import_field_born(), patient.age && ageWord(patient.age)],
            [m.profile_gender(), patient.gender && genderWord(patient.gender)],
            [m.import_field_blood(), patient.blood],
            [m.import_field_address(), patient.address],
            [m.import_field_note(), patient.note],
            [m.import_patient_added(), formatDate(todayInIndia(patient.addedAt))],
          ]}
        />
      </section>
      <section className="card mt-5" aria-labelledby="h-history">
        <SectionHead>
          <h2 id="h-history">{m.import_patient_history()}</h2>
          {history.length > 0 && <Badge>{m.import_patient_imported()}</Badge>}
        </SectionHead>
        <p className="text-sm text-ink-soft">{history.length ? m.import_patient_history_text() : m.import_patient_history_none()}</p>
        {visits > history.length && (
          <p className="text-sm text-ink-soft">{m.settings_sessions_more({ shown: `${history.length}`, total: `${visits}` })}</p>
        )}
        {history.length > 0 && (
          <DividedList>
            {history.map(({ id, date, time, doctorName, status, fee, paid }) => (
              <li key={id}>
                <b>{[formatDate(date), time].filter(Boolean).join(" ")}</b> {pastStatusWord(status)}
                <span className="block text-sm text-ink-soft wrap-anywhere">
                  {[
                    doctorName,
                    fee !== null && `${m.import_field_fee()} ${formatRupees(fee)}`,
                    paid !== null && `${m.import_field_paid()} ${formatRupees(paid)}`,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </span>
              </li>
            ))}
          </DividedList>
        )}
      </section>
    </Page>
  );
}
