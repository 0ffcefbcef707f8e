import type { Role } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";

const ROLES: Record<Role | "system" | "visitor", () => string> = {
  patient: () => m.admin_role_patient(),
  doctor: () => m.admin_role_doctor(),
  reviewer: () => m.admin_role_reviewer(),
  admin: () => m.admin_role_admin(),
  system: () => m.admin_role_system(),
  visitor: () => m.admin_role_visitor(),
};
export const roleWord = (role: Role | "system" | "visitor") => ROLES[role]();
