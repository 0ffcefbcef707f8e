import { m } from "#app/paraglide/messages.js";
import type { HospitalStatus } from "./queries.server.ts";

const STATUS: Record<HospitalStatus, () => string> = {
  active: () => m.hospitals_hospital_active(),
  pending: () => m.hospitals_hospital_pending(),
  refused: () => m.hospitals_hospital_refused(),
  merged: () => m.hospitals_hospital_merged(),
};
export const hospitalStatusWord = (status: HospitalStatus) => STATUS[status]();
