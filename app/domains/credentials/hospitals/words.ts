import { m } from "#app/paraglide/messages.js";
import type { HospitalStatus } from "./queries.server.ts";

const STATUS: Record<HospitalStatus, () => string> = {
  active: () => m.admin_hospital_active(),
  pending: () => m.admin_hospital_pending(),
  refused: () => m.admin_hospital_refused(),
  merged: () => m.admin_hospital_merged(),
};
export const hospitalStatusWord = (status: HospitalStatus) => STATUS[status]();
