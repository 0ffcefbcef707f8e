/** How the administrator's list of hospitals may be sorted; without a choice by name, those to confirm by their age. */
export const HOSPITAL_SORTS = ["city", "newest", "doctors"] as const;
export type HospitalSort = (typeof HOSPITAL_SORTS)[number];
