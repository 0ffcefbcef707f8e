import { EVENT_ACTIONS } from "#app/domains/platform/events/event-kinds.ts";

/** The kind of a test event. */
export const TEST_KIND = "webhook.test";

/** What of `domain_events.data` is sent: states, dates and roles, never more. */
const SENT = ["to", "date", "time", "role"] as const;

/** An appointment that got another time, whoever moved it: the patient, the clinic, an accepted proposal or an administrator. */
const MOVED = ["appointment.reschedule", "appointment.take-proposal", "appointment.move"];
/** Returns the type of a message: one for each thing that can happen. */
export const messageType = (kind: string): string => (MOVED.includes(kind) ? "appointment.move" : kind);
/** All types of messages, without that of a test. */
export const MESSAGE_TYPES: readonly string[] = [
  ...new Set(Object.entries(EVENT_ACTIONS).flatMap(([subject, actions]) => actions.map((action) => messageType(`${subject}.${action}`)))),
];

export type WebhookEvent = {
  kind: string;
  subjectId: string;
  doctorId: string | null;
  data: Record<string, string>;
  at: Date;
};

/**
 * Returns the body of a message: kind, time and ids. The same for each attempt.
 * @param event null: a test event
 * @param reference of an appointment
 */
export function messageOf(of: { placeId: string; createdAt: Date; event: WebhookEvent | null; reference: string | null }): string {
  const { placeId, createdAt, event, reference } = of;
  if (!event) return JSON.stringify({ type: TEST_KIND, timestamp: createdAt.toISOString(), data: { place: placeId } });
  const values = Object.fromEntries(SENT.flatMap((name) => (event.data[name] === undefined ? [] : [[name, event.data[name]]])));
  return JSON.stringify({
    type: messageType(event.kind),
    timestamp: event.at.toISOString(),
    data: {
      id: event.subjectId,
      place: placeId,
      ...(event.doctorId && { doctor: event.doctorId }),
      ...(reference && { reference }),
      ...values,
    },
  });
}
