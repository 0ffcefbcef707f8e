import type { Role } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

const ROLES: Record<Role | "system" | "visitor", () => string> = {
  patient: () => m.users_role_patient(),
  doctor: () => m.users_role_doctor(),
  reviewer: () => m.admin_role_reviewer(),
  admin: () => m.users_role_admin(),
  staff: () => m.users_role_staff(),
  system: () => m.users_role_system(),
  visitor: () => m.users_role_visitor(),
};
export const roleWord = (role: Role | "system" | "visitor") => ROLES[role]();
