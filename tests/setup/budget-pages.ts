/** One page of each important template, for tests/server/budget.test.ts. */

import { type Places, placesOf } from "./pages.ts";
import type { DEMO } from "./people.ts";
import type { TestServer } from "./server.ts";
import { staffPlacesOf } from "./staff-pages.ts";

type Account = keyof typeof DEMO | null;
export type BudgetPage = { name: string; account: Account; path: string };

/** @param day the date of the server's clock */
export async function budgetPages(server: Pick<TestServer, "sql">, day: string): Promise<BudgetPage[]> {
  const places: Places = await placesOf(server, day);
  const staff = await staffPlacesOf(server, day);
  const { doctor, hospital, slot, changeable, completed, relative } = places;
  const of = (account: Account, pages: Record<string, string>) =>
    Object.entries(pages).map(([name, path]) => ({ name: `${name}, ${account ?? "visitor"}`, account, path }));
  return [
    ...of(null, {
      splash: "/",
      "login of patients": "/dual-patient",
      doctors: "/doctorspages/Cards-data",
      "doctor search": "/doctorspages/Cards-data?q=dr&specialty=Cardiologist&sort=distance",
      "doctor detail": `/details/doctor/${doctor}`,
      hospitals: "/hospitalpages/Cards-data",
      hospital: `/hospital/${hospital}`,
    }),
    ...of("patient", {
      dashboard: "/patient-dashboard",
      doctors: "/doctorspages/Cards-data",
      "doctor detail": `/details/doctor/${doctor}`,
      "date and time": `/patient/appointments/datetime?doctorId=${doctor}`,
      "patient's details": `/patient/appointments/patient-detail?${slot}`,
      payment: `/patient/appointments/payment/${changeable}`,
      appointment: `/patient/appointments/${changeable}`,
      reschedule: `/patient/appointments/${changeable}/reschedule`,
      review: `/patient/appointments/${completed}/review`,
      calendar: "/patient/calendar",
      profile: "/patient/profile",
      family: "/patient/family",
      "family member": `/patient/family/${relative}`,
      wallet: "/patient/wallet",
      notifications: "/patient/notifications",
      assistant: "/patient/ai-chat",
      "own data": "/patient/data",
      location: "/location",
    }),
    ...of("doctor", {
      dashboard: "/doctor-dashboard",
      appointments: "/doctor/appointments",
      patient: `/doctor/patient/${places.doctorVisit}`,
      availability: "/doctor/availability",
      statistics: "/doctor/stats",
      profile: "/doctor/profile",
      reviews: "/doctor/reviews",
    }),
    ...of("reviewer", { cases: "/reviewer", case: `/reviewer/cases/${staff.case}` }),
    ...of("admin", {
      overview: "/admin",
      doctors: "/admin/doctors",
      doctor: `/admin/doctors/${staff.decided}`,
      hospitals: "/admin/hospitals",
      hospital: `/admin/hospitals/${staff.hospital}`,
      user: `/admin/users/${staff.user}`,
      audit: "/admin/audit",
    }),
  ];
}
