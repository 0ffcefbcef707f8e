/**
 * THE table of the API: every call by its name (the operationId of the document). Spec 000 §7 and spec 001 §7 are all here;
 * what is not in them has a comment.
 */
import type { EndpointTable } from "#app/http/api/endpoint.ts";
import * as appointments from "./endpoints/appointments.server.ts";
import * as auth from "./endpoints/auth.server.ts";
import * as availability from "./endpoints/availability.server.ts";
import * as bookings from "./endpoints/bookings.server.ts";
import * as chat from "./endpoints/chat.server.ts";
import * as directory from "./endpoints/directory.server.ts";
import * as doctor from "./endpoints/doctor.server.ts";
import * as files from "./endpoints/files.server.ts";
import * as imports from "./endpoints/imports.server.ts";
import * as notifications from "./endpoints/notifications.server.ts";
import * as patient from "./endpoints/patient.server.ts";
import * as practices from "./endpoints/practices.server.ts";
import * as proposals from "./endpoints/proposals.server.ts";
import * as queue from "./endpoints/queue.server.ts";
import * as review from "./endpoints/review.server.ts";
import * as verification from "./endpoints/verification.server.ts";
import * as visits from "./endpoints/visits.server.ts";
import * as waitlist from "./endpoints/waitlist.server.ts";

export const ENDPOINTS = {
  ...auth,
  ...directory,
  ...practices,
  ...verification,
  ...doctor,
  ...availability,
  ...appointments,
  ...bookings,
  ...proposals,
  ...visits,
  ...waitlist,
  ...queue,
  ...patient,
  ...notifications,
  ...chat,
  ...review,
  ...files,
  ...imports,
} as const satisfies EndpointTable;
/** @internal what the client of the tests is typed by */
export type Endpoints = typeof ENDPOINTS;
