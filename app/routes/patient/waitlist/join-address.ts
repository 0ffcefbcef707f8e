import { href } from "react-router";

/** Returns the page to wait for an earlier time than that of an appointment. */
export const joinAddress = ({ id, doctorId }: { id: string; doctorId: string }) =>
  `${href("/patient/waitlist/join")}?${new URLSearchParams({ doctorId, appointment: id })}`;
