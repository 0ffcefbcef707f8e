import type { MembershipState, PlaceDoctorState } from "#app/db/schema/index.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const ROLES: Record<MemberRole, () => string> = {
  owner: () => m.clinic_role_owner(),
  manager: () => m.clinic_role_manager(),
  reception: () => m.clinic_role_reception(),
  nurse: () => m.clinic_role_nurse(),
  billing: () => m.clinic_role_billing(),
};
export const memberRoleWord = (role: MemberRole): string => ROLES[role]();

const STATES: Record<MembershipState, () => string> = {
  invited: () => m.clinic_state_invited(),
  active: () => m.clinic_state_active(),
  suspended: () => m.clinic_state_suspended(),
  ended: () => m.clinic_state_ended(),
};
export const membershipStateWord = (state: MembershipState): string => STATES[state]();

const DOCTORS: Record<PlaceDoctorState, () => string> = {
  claimed: () => m.clinic_doctor_claimed(),
  asked: () => m.clinic_doctor_asked(),
  active: () => m.clinic_state_active(),
  ended: () => m.clinic_state_ended(),
};
export const placeDoctorWord = (state: PlaceDoctorState): string => DOCTORS[state]();
