import type { HospitalAccess, HospitalCategory } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

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

const ACCESS: Record<HospitalAccess, () => string> = {
  ramp: () => m.names_access_ramp(),
  lift: () => m.names_access_lift(),
  wheelchair: () => m.names_access_wheelchair(),
  toilet: () => m.names_access_toilet(),
  parking: () => m.names_access_parking(),
};
export const accessWord = (access: HospitalAccess) => ACCESS[access]();
