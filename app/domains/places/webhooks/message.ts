/** The kind of a test event. */
export const TEST_KIND = "webhook.test";

/** What of `domain_events.data` is sent: states, dates and roles, never more. */
const SENT = ["to", "date", "time", "role"] as const;

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
    type: event.kind,
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
