/** Pages of doctors, reviewers and administrators for languages.spec.ts, in addition to pages.ts. */
import { DEMO } from "./people.ts";
import type { TestServer } from "./server.ts";

type StaffPlaces = {
  visit: string;
  accepted: string;
  /** A visit of an earlier day, without a prescription. */
  seen: string;
  slots: string;
  ownReview: string;
  case: string;
  decided: string;
  verified: string;
  /** Suspended, with a coming visit. */
  suspended: string;
  hospital: string;
  user: string;
  reported: string;
  /** To support: of the doctor, and of a patient. */
  ownQuestion: string;
  question: string;
  /** Where the demo's receptionist works. */
  clinic: string;
};
/**
 * Returns ids of demo data for the URLs.
 * @param day the date of the server's clock, if it is not today
 */
export async function staffPlacesOf({ sql }: Pick<TestServer, "sql">, day?: string): Promise<StaffPlaces> {
  const today = day ? sql`${day}::date` : sql`current_date`;
  const doctor = sql`(select id from users where email = ${DEMO.doctor.email})`;
  const visit = (status: string) =>
    sql<{ id: string }[]>`select id from appointments where doctor_id = ${doctor} and status = ${status} order by date, time limit 1`;
  const [pending] = await visit("pending");
  const [accepted] = await visit("accepted");
  const [seen] = await visit("completed");
  const [slots] = await sql<{ date: string }[]>`
    select date::text from availability_slots where doctor_id = ${doctor} and date > ${today} + 1 order by 1 limit 1`;
  const [ownReview] = await sql<{ id: string }[]>`
    select id from reviews r where doctor_id = ${doctor} and not exists (select from review_reports where review_id = r.id) limit 1`;
  const inStatus = (status: string) =>
    sql<{ id: string }[]>`select id from doctors where registration_status = ${status} order by full_name limit 1`;
  const [waiting] = await inStatus("under review by hospital");
  const [decided] = await inStatus("pending admin approval");
  const [verified] = await inStatus("verified");
  const [suspended] = await sql<{ id: string }[]>`
    select d.id from doctors d join appointments a on a.doctor_id = d.id and a.status = 'accepted' and a.date > ${today}
    where d.registration_status = 'suspended' limit 1`;
  const [hospital] = await sql<{ id: string }[]>`
    select h.id from hospitals h join hospital_reviewers r on r.hospital_id = h.id order by h.name limit 1`;
  const [user] = await sql<{ id: string }[]>`select id from users where phone = ${DEMO.patient.phone}`;
  const [reported] = await sql<{ id: string }[]>`select review_id as id from review_reports limit 1`;
  const [clinic] = await sql<{ id: string }[]>`
    select hospital_id as id from memberships m join users u on u.id = m.user_id where u.email = ${DEMO.reception.email}`;
  const [ownQuestion] = await sql<{ id: string }[]>`select id from support_threads where user_id = ${doctor}`;
  const [question] = await sql<{ id: string }[]>`
    select t.id from support_threads t join users u on u.id = t.user_id where u.phone = ${DEMO.patient.phone}`;
  return {
    visit: pending!.id,
    accepted: accepted!.id,
    seen: seen!.id,
    slots: slots!.date,
    ownReview: ownReview!.id,
    case: waiting!.id,
    decided: decided!.id,
    verified: verified!.id,
    suspended: suspended!.id,
    hospital: hospital!.id,
    user: user!.id,
    reported: reported!.id,
    clinic: clinic!.id,
    ownQuestion: ownQuestion!.id,
    question: question!.id,
  };
}

export const STAFF_GROUPS: { whose: string; account: { role: string; email: string }; pages: (places: StaffPlaces) => string[] }[] = [
  {
    whose: "a new doctor's",
    account: { role: "doctor", email: "kiran.babu.pasupuleti@demo.test" },
    pages: () => ["/doctor-verify", "/hospital-form", "/hospital-form?mode=manual", "/doctor-verification", "/banking-information"],
  },
  {
    whose: "a doctor's other",
    account: DEMO.doctor,
    pages: ({ visit, accepted, seen, slots, ownReview, ownQuestion }) => [
      "/doctor/appointments?q=no-such-name",
      `/doctor/appointments/day/${slots}`,
      `/doctor/appointments/${visit}/accept`,
      `/doctor/appointments/${accepted}/complete`,
      `/doctor/patient/${accepted}/time`,
      "/doctor/stats",
      "/doctor/stats?tab=all",
      "/doctor/availability",
      "/doctor/availability/add",
      "/doctor/availability/weekly",
      "/doctor/availability/week",
      "/doctor/appointments/book",
      "/doctor/queue",
      "/doctor/queue/figures",
      "/doctor/waitlist",
      "/doctor/patients",
      "/doctor/patients?q=no-such-name",
      `/doctor/patients/${visit}`,
      `/doctor/availability/change/${slots}`,
      `/doctor/availability/delete/${slots}`,
      `/doctor/visits/${seen}`,
      `/doctor/visits/${seen}/certificate`,
      `/doctor/visits/${seen}/order`,
      "/doctor/takings",
      "/doctor/takings/months",
      "/doctor/settlements",
      "/doctor/refund-policy",
      `/doctor/patient/${accepted}/payment`,
      "/doctor/practices",
      "/doctor/practices/add",
      "/doctor/practices/add/unlisted",
      "/doctor/clinic",
      "/doctor/leave/add",
      "/doctor/ai-chat",
      "/doctor/ai-chat/clear",
      "/doctor/profile-view",
      "/doctor/profile/edit",
      "/doctor/reviews",
      `/doctor/reviews/${ownReview}/reply`,
      `/doctor/reviews/${ownReview}/report`,
      "/doctor/settings",
      "/doctor/settings/password",
      "/doctor/settings/calendar",
      "/doctor/settings/push",
      "/account/security",
      "/account/security/password",
      "/doctor/help",
      "/doctor/help?q=nothing-like-this",
      "/doctor/terms",
      "/account/support",
      "/account/support/write",
      `/account/support/${ownQuestion}`,
    ],
  },
  {
    whose: "a receptionist's",
    account: DEMO.reception,
    pages: ({ clinic, slots }) => [
      "/desk",
      "/desk?show=requests",
      "/desk/accept",
      "/desk/book",
      "/desk/queue",
      `/desk/day/${slots}`,
      "/desk/waitlist",
      "/desk/messages",
      `/clinic/${clinic}/screen`,
      `/clinic/${clinic}/results`,
    ],
  },
  {
    whose: "a reviewer's",
    account: DEMO.reviewer,
    pages: ({ case: waiting }) => [
      "/reviewer",
      "/reviewer?status=approved",
      `/reviewer/cases/${waiting}`,
      `/reviewer/cases/${waiting}/reveal/aadhaar`,
    ],
  },
  {
    whose: "an administrator's",
    account: DEMO.admin,
    pages: ({ accepted, case: waiting, decided, verified, suspended, hospital, user, reported, question }) => [
      "/admin",
      "/admin/doctors",
      "/admin/doctors?q=no-such-name",
      "/admin/doctors?status=under+review+by+hospital",
      `/admin/doctors/assign?case=${waiting}`,
      `/admin/doctors/${decided}`,
      `/admin/doctors/${decided}/reveal/aadhaar`,
      `/admin/doctors/${verified}/suspend`,
      `/admin/doctors/${suspended}`,
      `/admin/doctors/${suspended}/visits`,
      "/admin/hospitals",
      "/admin/hospitals/new",
      `/admin/hospitals/${hospital}`,
      `/admin/hospitals/${hospital}/edit`,
      `/admin/hospitals/${hospital}/merge`,
      `/admin/hospitals/${hospital}/refuse`,
      "/admin/appointments",
      "/admin/appointments?q=Anjali",
      `/admin/appointments/${accepted}`,
      `/admin/appointments/${accepted}/cancel`,
      `/admin/appointments/${accepted}/move`,
      "/admin/users",
      `/admin/users/${user}`,
      "/admin/changes",
      "/admin/reviews",
      `/admin/reviews/${reported}`,
      "/admin/support",
      `/admin/support/${question}`,
      "/admin/announcements",
      "/admin/announcements/new",
      `/admin/announcements/new?hospital=${hospital}`,
      "/admin/payments",
      "/admin/figures",
      "/admin/payments/days",
      "/admin/payments/day",
      "/admin/payments/settlements",
      "/admin/payments/fees",
      "/admin/payments/messages",
      "/admin/audit",
      "/admin/audit?person=no-such-name",
      "/account/security/passkeys",
      "/account/security/passkeys/add",
    ],
  },
];
