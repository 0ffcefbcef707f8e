/**
 * Who opens which pages. Each route is in one of these areas (app/routes.ts). The guard of the root route, the styles of a page, its line in
 * the log and the tests of access read this table.
 */
import type { Role } from "#app/db/schema/index.ts";

type Area =
  /** For users of these roles. Visitors are redirected to the login of the first. */
  | {
      roles: readonly [Role, ...Role[]];
      /** Doctors with this status of their application only. */
      doctors?: "verified" | "draft";
    }
  /** For everybody, and why no role is asked for. */
  | { open: string /** Its pages show components of all users. */; showsAll?: true };

export const AREAS = {
  visitor: { open: "public pages, the directory, and what search engines and browsers ask for" },
  login: { open: "login and logout, the links of invitations, and forms of visitors that wait for a login" },
  key: { open: "the code or the key in the address opens the page" },
  file: { open: "the query of the file asks who may read it" },
  program: { open: "calls name their roles in their table; webhooks are signed; a browser is found by its secret address" },
  developer: { open: "the documents of the API; in demo mode the components and the sent messages", showsAll: true },
  patient: { roles: ["patient"] },
  // The loader redirects doctors to their own page.
  patientOrDoctor: { roles: ["patient", "doctor"] },
  doctor: { roles: ["doctor"], doctors: "verified" },
  applicant: { roles: ["doctor"], doctors: "draft" },
  application: { roles: ["doctor"] },
  reviewer: { roles: ["reviewer"] },
  // Each command checks the membership of the hospital or clinic (`requireActing`).
  clinic: { roles: ["staff", "doctor", "reviewer"] },
  desk: { roles: ["staff", "doctor", "reviewer"] },
  admin: { roles: ["admin"] },
  account: { roles: ["doctor", "reviewer", "admin", "staff"] },
  document: { roles: ["reviewer", "admin", "doctor"] },
  user: { roles: ["patient", "doctor", "reviewer", "admin", "staff"] },
} as const satisfies Record<string, Area>;
export type AreaName = keyof typeof AREAS;

/** Returns the roles that may open the pages of an area; null: everybody may. */
export function rolesOf(name: AreaName): readonly [Role, ...Role[]] | null {
  const area: Area = AREAS[name];
  return "roles" in area ? area.roles : null;
}

/** The login of a role, its first page and its sheet of styles. Members who see no agenda go on from /desk to /clinic. */
const USERS = {
  patient: { login: "/dual-patient", home: "/patient-dashboard", sheet: "patients" },
  doctor: { login: "/dual-doctor", home: "/doctor-dashboard", sheet: "staff" },
  reviewer: { login: "/dual-doctor", home: "/reviewer", sheet: "staff" },
  admin: { login: "/dual-doctor", home: "/admin", sheet: "staff" },
  staff: { login: "/dual-doctor", home: "/desk", sheet: "staff" },
} as const satisfies Record<Role, { login: string; home: string; sheet: string }>;

export const homeOf = (role: Role) => USERS[role].home;
export const loginOf = (role: Role) => USERS[role].login;

/** Returns whose sheet a page needs: that of the user, because patients and staff open the pages of visitors too. */
export function sheetOf(name: AreaName | undefined, role: Role | undefined): "visitors" | "patients" | "staff" {
  const area: Area | undefined = name && AREAS[name];
  if (area && "showsAll" in area) return "staff";
  return role ? USERS[role].sheet : "visitors";
}

/** Returns the area of a route by its id, which begins with it (`inArea` of app/routes.ts); undefined for frames. */
export function areaOf(routeId: string): AreaName | undefined {
  const [name = ""] = routeId.split(":", 1);
  return Object.hasOwn(AREAS, name) ? (name as AreaName) : undefined;
}
