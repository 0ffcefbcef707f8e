/**
 * The pages that domains point to in notifications, messages and answers of the assistant. A domain names a page and the id
 * of what it shows, the path is only here. Routes and components use React Router's typed `href` instead.
 */
const PATHS = {
  "patient-dashboard": () => "/patient-dashboard",
  "patient-calendar": () => "/patient/calendar",
  "patient-appointment": (appointmentId: string) => `/patient/appointments/${appointmentId}`,
  "patient-data-notice": () => "/patient/data/notice",
  "patient-records": () => "/patient/records",
  "patient-waitlist": () => "/patient/waitlist",
  "patient-review": (appointmentId: string) => `/patient/appointments/${appointmentId}/review`,
  "patient-support": (threadId: string) => `/patient/support/${threadId}`,
  "patient-help": () => "/patient/help",
  doctors: () => "/doctorspages/Cards-data",
  "doctors-of-category": (category: string) => `/doctorspages/Cards-data?${new URLSearchParams({ category })}`,
  "doctors-of-specialty": (specialty: string) => `/doctorspages/Cards-data?${new URLSearchParams({ specialty })}`,
  "doctors-found": (q: string) => `/doctorspages/Cards-data?${new URLSearchParams({ q })}`,
  "doctor-appointments": () => "/doctor/appointments",
  "doctor-visit": (appointmentId: string) => `/doctor/patient/${appointmentId}`,
  visit: (visitId: string) => `/doctor/visits/${visitId}`,
  "doctor-profile": () => "/doctor/profile-view",
  "doctor-practices": () => "/doctor/practices",
  "doctor-reviews": () => "/doctor/reviews",
  "doctor-settings": () => "/doctor/settings",
  "doctor-help": () => "/doctor/help",
  "application-status": () => "/doctor-verify",
  "application-hospital": () => "/hospital-form",
  "application-professional": () => "/doctor-verification",
  "application-bank": () => "/banking-information",
  "reviewer-case": (doctorId: string) => `/reviewer/cases/${doctorId}`,
  "admin-case": (doctorId: string) => `/admin/doctors/${doctorId}`,
  "admin-support": (threadId: string) => `/admin/support/${threadId}`,
  "patient-push": () => "/patient/settings/push",
  "doctor-push": () => "/doctor/settings/push",
  "admin-payments": () => "/admin/payments",
  "own-support": (threadId: string) => `/account/support/${threadId}`,
  security: () => "/account/security",
  passkeys: () => "/account/security/passkeys",
  "reset-password": (token: string) => `/forgot-password/${token}`,
  "confirm-email": (token: string) => `/confirm-email/${token}`,
  clinics: () => "/clinic",
  clinic: (hospitalId: string) => `/clinic/${hospitalId}`,
  "clinic-takings": (hospitalId: string) => `/clinic/${hospitalId}/takings`,
  "clinic-webhooks": (hospitalId: string) => `/clinic/${hospitalId}/webhooks`,
  join: (token: string) => `/join/${token}`,
  invitation: (token: string) => `/invitation/${token}`,
} satisfies Record<string, (id: string) => string>;

type Page = keyof typeof PATHS;
/** A page, with the id of what it shows where it shows one thing. */
export type Target = { [P in Page]: Parameters<(typeof PATHS)[P]> extends [] ? { page: P } : { page: P; id: string } }[Page];

/** @internal The test of routes reads it. */
export const PAGES = Object.keys(PATHS) as Page[];

/** Returns the path of a target, from the root of the site. */
export function pathOf(target: Target): string {
  const path: (id: string) => string = PATHS[target.page];
  return path("id" in target ? target.id : "");
}
