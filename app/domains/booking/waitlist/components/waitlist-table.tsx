import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import type { Age } from "#app/lib/age.ts";
import { formatDate } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
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
      <p className="soft mb-3">{m.waitlist_staff_intro()}</p>
      <table className="agenda">
        <thead className="soft">
          <tr>
            <th scope="col">{m.appointments_patient()}</th>
            <th scope="col">{m.appointments_phone()}</th>
            {withDoctor && <th scope="col">{m.waitlist_doctor()}</th>}
            <th scope="col">{m.waitlist_suits()}</th>
            <th scope="col">{m.waitlist_state()}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr className="visit" key={entry.id}>
              <td className="first max-desktop:w-full desktop:w-[99%] desktop:max-w-0 desktop:whitespace-normal">
                <b>{entry.patientName}</b> <span className="soft">{ageAndSexWord(entry.age, entry.gender)}</span>
              </td>
              <td>
                <a className="btn quiet sm flush num" href={`tel:${entry.phone}`}>
                  {formatPhone(entry.phone)}
                </a>
              </td>
              {withDoctor && <td>{entry.doctorName}</td>}
              <td>
                {wishWord(entry)}
                {entry.visit && <span className="small soft"> {m.waitlist_staff_before_visit({ when: whenWord(entry.visit) })}</span>}
              </td>
              <td>
                {entry.offer ? (
                  <>
                    {m.waitlist_staff_offered({ when: whenWord(entry.offer) })}{" "}
                    <span className="small soft">{m.waitlist_staff_until({ until: clockOf(entry.offer.until, today) })}</span>
                  </>
                ) : (
                  m.waitlist_waiting_since({ date: formatDate(entry.since) })
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
