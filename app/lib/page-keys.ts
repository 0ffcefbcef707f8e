/** Surrogate keys of visitors' pages, by which a CDN drops them (docs/decisions/087). */

/** Every page that shows doctors or hospitals. */
const DIRECTORY = "directory";
/** Every page of the directory except the pages of single doctors: lists, hospitals, and short names. */
const LISTS = "lists";

const DOCTOR = /^\/details\/doctor\/([0-9a-f-]{36})$/;
const HOSPITAL = /^\/hospital\/([0-9a-f-]{36})(?:\/|$)/;

/** Returns the keys of the page at this path. */
export function keysOfPage(path: string): string[] {
  const doctor = DOCTOR.exec(path)?.[1];
  if (doctor) return [DIRECTORY, `doctor-${doctor}`];
  const hospital = HOSPITAL.exec(path)?.[1];
  return [DIRECTORY, LISTS, ...(hospital ? [`hospital-${hospital}`] : [])];
}

/** Returns the keys to drop when this doctor, or without one any public data, changed. */
export const keysToPurge = (doctorId?: string): string[] => (doctorId ? [`doctor-${doctorId}`, LISTS] : [DIRECTORY]);
