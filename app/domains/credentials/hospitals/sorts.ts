/** Sort orders of the administrator's list of hospitals. Default: by name, pending ones by age. */
export const HOSPITAL_SORTS = ["city", "newest", "doctors"] as const;
export type HospitalSort = (typeof HOSPITAL_SORTS)[number];

/** A hospital without an active reviewer leaves its doctors to the administrators. */
export const REVIEWER_FILTERS = ["with", "without"] as const;
