import { m } from "#app/paraglide/messages.js";
import type { HospitalCategory } from "../vocabulary.ts";
import type { HospitalStatus } from "./queries.server.ts";

const STATUS: Record<HospitalStatus, () => string> = {
  active: () => m.admin_hospital_active(),
  pending: () => m.admin_hospital_pending(),
  refused: () => m.admin_hospital_refused(),
  merged: () => m.admin_hospital_merged(),
};
export const hospitalStatusWord = (status: HospitalStatus) => STATUS[status]();

const KINDS: Record<HospitalCategory, () => string> = {
  Hospital: () => m.names_place_hospital(),
  Clinic: () => m.names_place_clinic(),
  Dental: () => m.names_place_dental(),
  Laboratory: () => m.names_place_laboratory(),
  Vaccination: () => m.names_place_vaccination(),
  Ayurvedic: () => m.names_place_ayurvedic(),
  Pharmacy: () => m.names_place_pharmacy(),
};
export const hospitalKindWord = (kind: HospitalCategory) => KINDS[kind]();
