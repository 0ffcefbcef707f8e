import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import type { Age } from "#app/lib/age.ts";
import { formatDate } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Line, LineCell, Lines, LinesBody, LinesHead } from "#app/ui/staff/lines.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { PartOfDay } from "../rules.ts";
import { clockOf, whenWord, wishWord } from "../words.ts";

type Moment = { date: string; time: string };
export type StaffEntry = {
  id: string;
  patientName: string;
  age: Age;
  gender: Gender;
  phone: string;
  doctorName: string;
  fromDate: string;
  untilDate: string;
  parts: PartOfDay[];
  since: string;
  visit: Moment | null;
  offer: (Moment & { until: Moment }) | null;
};

/** The waitlist as staff see it, in the order in which times are offered. `withDoctor`: of several doctors. */
export function WaitlistTable({ entries, today, withDoctor }: { entries: StaffEntry[]; today: string; withDoctor?: boolean }) {
  if (entries.length === 0)
    return (
      <EmptyState drawing="no-appointments" title={m.waitlist_staff_none()}>
        {m.waitlist_staff_none_text()}
      </EmptyState>
    );
  return (
    <>
      <p className="text-ink-soft mb-3">{m.waitlist_staff_intro()}</p>
      <Lines
        head={[
          m.appointments_patient(),
          m.appointments_phone(),
          withDoctor && m.waitlist_doctor(),
          m.waitlist_suits(),
          m.waitlist_state(),
        ].map(
          (name) =>
            name && (
              <LinesHead key={name} scope="col">
                {name}
              </LinesHead>
            ),
        )}
      >
        <LinesBody>
          {entries.map((entry) => (
            <EntryLine key={entry.id} entry={entry} today={today} withDoctor={withDoctor} />
          ))}
        </LinesBody>
      </Lines>
    </>
  );
}

function EntryLine({ entry, today, withDoctor }: { entry: StaffEntry; today: string; withDoctor: boolean | undefined }) {
  return (
    <Line>
      <LineCell first fills>
        <b className="text-base">{entry.patientName}</b> <span className="text-ink-soft">{ageAndSexWord(entry.age, entry.gender)}</span>
      </LineCell>
      <LineCell>
        <LinkButton variant="quiet" size="sm" className="pl-0 num" to={`tel:${entry.phone}`}>
          {formatPhone(entry.phone)}
        </LinkButton>
      </LineCell>
      {withDoctor && <LineCell>{entry.doctorName}</LineCell>}
      <LineCell>
        {wishWord(entry)}
        {entry.visit && <span className="text-sm text-ink-soft"> {m.waitlist_staff_before_visit({ when: whenWord(entry.visit) })}</span>}
      </LineCell>
      <LineCell>
        {entry.offer ? (
          <>
            {m.waitlist_staff_offered({ when: whenWord(entry.offer) })}{" "}
            <span className="text-sm text-ink-soft">{m.waitlist_staff_until({ until: clockOf(entry.offer.until, today) })}</span>
          </>
        ) : (
          m.waitlist_waiting_since({ date: formatDate(entry.since) })
        )}
      </LineCell>
    </Line>
  );
}
