/** Addresses of the booking that public pages link to. */
type Slot = { doctorId: string; date: string; time: string };

/** Returns the page where a patient books this time. */
export const bookingPath = ({ doctorId, date, time }: Slot): string =>
  `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId, date, time })}`;

/** Returns the page with all times of a doctor, at one practice where it is given. */
export const timesPath = ({ id, practiceId }: { id: string; practiceId?: string }): string =>
  `/patient/appointments/datetime?${new URLSearchParams({ doctorId: id, ...(practiceId && { practiceId }) })}`;
