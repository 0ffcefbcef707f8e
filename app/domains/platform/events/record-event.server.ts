import { domainEvents } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { EventKind } from "./event-kinds.ts";

export type DomainEvent = {
  kind: EventKind;
  subjectId: string;
  /** The doctor whose practice it concerns. */
  doctorId?: string | null;
  /** The place that it concerns. Default: the place that the actor acts for. */
  hospitalId?: string | null;
  /** New status and other fixed values. Never names, phones, texts of users or health data. */
  data?: Partial<Record<"to" | "date" | "time" | "field" | "role", string>>;
};

/**
 * Records a state change, in the transaction of the command that made it. One row for each change: `npm test` walks the state
 * tables. The table refuses update and delete.
 */
export async function recordEvent(tx: Ctx, { kind, subjectId, doctorId = null, hospitalId, data = {} }: DomainEvent): Promise<void> {
  const acting = tx.actor?.onBehalfOf;
  await tx.db.insert(domainEvents).values({
    kind,
    subjectKind: kind.slice(0, kind.indexOf(".")),
    subjectId,
    actorId: tx.actor?.userId ?? null,
    onBehalfOf: acting?.doctorId ?? null,
    doctorId,
    hospitalId: hospitalId ?? acting?.hospitalId ?? null,
    at: tx.now,
    data,
  });
}
