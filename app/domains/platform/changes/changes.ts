import type { EventKind } from "../events/event-kinds.ts";
import type { Consequences } from "./consequences.ts";
import { OF_ACCOUNTS } from "./of-accounts.ts";
import { OF_BOOKING } from "./of-booking.ts";
import { OF_DOCTORS } from "./of-doctors.ts";
import { OF_MONEY } from "./of-money.ts";
import { OF_PLACES } from "./of-places.ts";
import { OF_QUEUES } from "./of-queues.ts";
import { OF_VISITS } from "./of-visits.ts";

/**
 * What follows from each change, beside the state tables: their transitions are kinds with the name of the event ("appointment.cancel"). Other
 * changes have the name of their audit entry ("choose-payment").
 */
export const CHANGES = {
  ...OF_BOOKING,
  ...OF_QUEUES,
  ...OF_MONEY,
  ...OF_VISITS,
  ...OF_PLACES,
  ...OF_DOCTORS,
  ...OF_ACCOUNTS,
} satisfies Record<EventKind, Consequences>;

export type ChangeKind = keyof typeof CHANGES;

/** The sections of docs/changes.md. */
export const SECTIONS = [
  { title: "Appointments, times, waitlists, reviews", rows: OF_BOOKING },
  { title: "Queues", rows: OF_QUEUES },
  { title: "Money", rows: OF_MONEY },
  { title: "Consultations and records", rows: OF_VISITS },
  { title: "Hospitals, clinics and their staff", rows: OF_PLACES },
  { title: "Doctors and their verification", rows: OF_DOCTORS },
  { title: "Accounts, settings, support", rows: OF_ACCOUNTS },
];
