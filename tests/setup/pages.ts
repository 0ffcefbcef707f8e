/** Every page, for tests of all pages: accessibility (pages.spec.ts), layout and language (languages.spec.ts). */
import type { BrowserContext } from "@playwright/test";
import { DEMO } from "./people.ts";
import type { TestServer } from "./server.ts";

export type Places = {
  doctor: string;
  hospital: string;
  slot: string;
  visit: string;
  changeable: string;
  doctorVisit: string;
  reviewed: string;
  completed: string;
  shown: string;
  relative: string;
  /** A document of an appointment of the demo patient. */
  attached: string;
  /** A question of the demo patient to support. */
  question: string;
  /** Short names of the hospital and the doctor. */
  hospitalName: string;
  doctorName: string;
};
/**
 * Returns ids of demo data for the URLs.
 * @param day the date of the server's clock, if it is not today
 */
export async function placesOf(server: Pick<TestServer, "sql">, day?: string): Promise<Places> {
  const { sql } = server;
  const today = day ? sql`${day}::date` : sql`current_date`;
  // Other tests of this server leave chats in their own language.
  await sql`delete from conversations where owner_id = (select id from users where role = 'patient' and phone = ${DEMO.patient.phone})`;
  // Other tests of this server make doctors without times.
  const [slot] = await sql<{ doctor: string; date: string; time: string }[]>`
    select d.id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time from doctors d join availability_slots s on s.doctor_id = d.id
    where d.registration_status = 'verified' and s.date > ${today} + 2
    and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time)
    order by d.full_name, s.date, s.time limit 1`;
  const doctor = { id: slot!.doctor };
  const mine = sql`a.patient_id = (select id from users where role = 'patient' and phone = ${DEMO.patient.phone})`;
  const [visit] = await sql<{ id: string }[]>`select a.id from appointments a where ${mine} order by date desc limit 1`;
  const [question] = await sql<{ id: string }[]>`
    select t.id from support_threads t join users u on u.id = t.user_id where u.role = 'patient' and u.phone = ${DEMO.patient.phone}`;
  const [changeable] = await sql<{ id: string }[]>`
    select a.id from appointments a where ${mine} and status in ('pending', 'accepted') and date > ${today} + 2 order by date limit 1`;
  const [doctorVisit] = await sql<{ id: string }[]>`
    select a.id from appointments a join users u on u.id = a.doctor_id join medical_records r on r.appointment_id = a.id
    where u.email = ${DEMO.doctor.email} and a.status in ('pending', 'accepted') limit 1`;
  const [hospital] = await sql<{ id: string }[]>`select hospital_id as id from doctors where id = ${doctor.id}`;
  const [reviewed] = await sql<
    { id: string }[]
  >`select a.id from appointments a join reviews r on r.appointment_id = a.id where ${mine} limit 1`;
  const [completed] = await sql<{ id: string }[]>`
    select a.id from appointments a where ${mine} and status = 'completed' and not exists (select from reviews r where r.appointment_id = a.id) limit 1`;
  const [shown] = await sql<{ id: string }[]>`select id from reviews where status = 'shown' order by created_at, id limit 1`;
  const [relative] = await sql<{ id: string }[]>`select id from family_members order by name limit 1`;
  const [attached] = await sql<
    { id: string }[]
  >`select r.id from medical_records r join appointments a on a.id = r.appointment_id where ${mine} order by r.id limit 1`;
  const [names] = await sql<{ hospital: string; doctor: string }[]>`
    select (select slug from short_names where hospital_id = ${hospital!.id} and is_current) as hospital,
      (select slug from short_names where doctor_id = ${doctor.id} and is_current) as doctor`;
  return {
    hospitalName: names!.hospital,
    doctorName: names!.doctor,
    doctor: doctor.id,
    hospital: hospital!.id,
    slot: `doctorId=${doctor.id}&date=${slot!.date}&time=${slot!.time}`,
    visit: visit!.id,
    changeable: changeable!.id,
    doctorVisit: doctorVisit!.id,
    reviewed: reviewed!.id,
    completed: completed!.id,
    shown: shown!.id,
    relative: relative!.id,
    attached: attached!.id,
    question: question!.id,
  };
}

/** Takes the `Refresh` header of the splash away: after five seconds it would leave a page that is being measured. */
export const keepSplash = (context: BrowserContext): Promise<unknown> =>
  context.route(
    ({ pathname }) => pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const { refresh: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    },
  );

/** Pages of the groups that answer 404, as faults.ts writes them. */
export const MISSING_PAGE = /^404 GET \/(nowhere|confirm-email\/unknown-link|details\/(doctor\/)?00000000-0000-4000-8000-000000000000)$/;

export type PageGroup = {
  whose: string;
  account: keyof typeof DEMO | null;
  pages: (p: Places) => string[];
  /** Tested with axe in other specs. languages.spec.ts tests them too. */
  beside?: (p: Places) => string[];
};
export const PAGE_GROUPS: PageGroup[] = [
  {
    whose: "a visitor's",
    account: null,
    pages: ({ doctor, hospital, hospitalName, doctorName }) => [
      "/",
      "/choose-role",
      "/dual-patient",
      "/dual-doctor",
      "/dual-doctor?mode=register",
      "/forgot-password",
      "/confirm-email/unknown-link",
      "/patient/emergency-contact",
      "/patient/emergency-contact/offline",
      "/doctorspages/Cards-data",
      "/doctorspages/Cards-data?q=no-such-name",
      "/doctorspages/Cards-data?q=cardiolgist",
      "/hospitalpages/Cards-data",
      "/hospitalpages/Cards-data?q=nothing-of-this-name",
      `/hospital/${hospital}`,
      `/hospital/${hospital}/doctors`,
      `/h/${hospitalName}`,
      `/d/${doctorName}`,
      "/accessibility",
      "/find-a-doctor",
      "/details/00000000-0000-4000-8000-000000000000",
      `/details/doctor/${doctor}`,
      "/details/doctor/00000000-0000-4000-8000-000000000000",
      "/nowhere",
      "/dev/ui",
    ],
    beside: () => ["/language", "/location", "/location?q=vij", "/offline"],
  },
  {
    whose: "a patient's",
    account: "patient",
    pages: ({ doctor, slot, visit, changeable, attached, question }) => [
      "/patient-dashboard",
      "/patient-dashboard?category=Cardiology",
      `/patient/appointments/datetime?doctorId=${doctor}`,
      `/patient/appointments/patient-detail?${slot}`,
      `/patient/appointments/payment/${visit}`,
      `/patient/appointments/${visit}`,
      "/patient/calendar",
      "/patient/calendar?tab=past",
      `/patient/appointments/${changeable}/cancel`,
      `/patient/appointments/${changeable}/reschedule`,
      `/patient/appointments/${changeable}/proposal`,
      "/patient/waitlist",
      `/patient/waitlist/join?doctorId=${doctor}`,
      "/patient/profile",
      "/patient/profile/edit",
      "/patient/settings",
      "/patient/settings/calendar",
      "/patient/settings/push",
      "/patient/settings/email",
      "/patient/help",
      "/patient/help?q=nothing-like-this",
      "/patient/terms",
      "/patient/contact-us",
      "/patient/payments",
      "/patient/support",
      "/patient/support/write",
      `/patient/support/${question}`,
      "/patient/records",
      "/patient/records/add",
      "/patient/records/access",
      `/patient/records/share/attached/${attached}`,
      "/patient/data",
      "/patient/data/opened",
      "/patient/data/notice",
      "/patient/data/delete",
      "/patient/family",
      "/patient/family/add",
      "/patient/notifications",
      "/logout",
    ],
    beside: ({ doctor, hospital, reviewed, completed, shown, relative }) => [
      "/doctorspages/Cards-data",
      "/doctorspages/Cards-data?q=dr&specialty=Cardiologist&sort=distance",
      `/details/doctor/${doctor}`,
      "/hospitalpages/Cards-data",
      `/hospital/${hospital}`,
      `/hospital/${hospital}/doctors`,
      "/location",
      "/language",
      "/favourites",
      "/patient/offline",
      "/patient/appointments",
      "/patient/appointments/Query",
      "/patient/ai-chat",
      "/patient/ai-chat?new",
      "/patient/wallet",
      "/patient/wallet?view=list&tab=redeem",
      "/patient/wallet?view=mission_detail&mission=papers",
      `/patient/appointments/${completed}`,
      `/patient/appointments/${completed}/review`,
      `/patient/appointments/${reviewed}/review`,
      `/patient/appointments/${reviewed}/review/take-back`,
      `/patient/reviews/${shown}/report`,
      `/patient/family/${relative}`,
      `/patient/family/${relative}/remove`,
      "/patient/emergency-contact",
    ],
  },
  {
    whose: "a doctor's",
    account: "doctor",
    pages: ({ doctorVisit }) => [
      "/doctor-dashboard",
      "/doctor/appointments",
      "/doctor/appointments?tab=completed",
      "/doctor/appointments?tab=cancelled",
      "/doctor/appointments?view=agenda",
      `/doctor/appointments?view=agenda&open=${doctorVisit}`,
      "/doctor/appointments/accept",
      // The cookie remembers the view.
      "/doctor/appointments?view=cards",
      `/doctor/patient/${doctorVisit}`,
      `/doctor/appointments/${doctorVisit}/cancel`,
      "/doctor/notifications",
      "/doctor/profile",
    ],
  },
];
