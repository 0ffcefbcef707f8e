import type { Ctx } from "#app/domains/context.server.ts";
import type { Target } from "#app/lib/targets.ts";
import type { AuditSubject } from "../audit/record.server.ts";
import { type EventKind, type EventSubject, isEventKind } from "../events/event-kinds.ts";
import type { NotificationKind, NotificationParams } from "../notifications/kinds.ts";
import { CHANGES, type ChangeKind } from "./changes.ts";
import type { Consequences, Who } from "./consequences.ts";
import { Records } from "./records.server.ts";

type Row<K extends ChangeKind> = (typeof CHANGES)[K];
/** The users that a kind of change may notify. */
type Notified<K extends ChangeKind> = K extends ChangeKind ? (Row<K> extends { notify: infer N } ? keyof N & Who : never) : never;
/** The texts that it has for one of them. */
type TextFor<K extends ChangeKind, W extends Who> = K extends ChangeKind
  ? Row<K> extends { notify: Record<W, readonly (infer Text)[]> }
    ? Text
    : never
  : never;
type EventOf<K> = K extends EventKind ? (K extends `${infer Subject extends EventSubject}.${string}` ? Subject : never) : never;
type AuditOf<K extends ChangeKind> = Row<K> extends { audit: { of: infer Of } } ? Of : never;
type AuditPerson<K extends ChangeKind> = Row<K> extends { audit: { person: infer Person } } ? Person : never;
/** The subjects of which a kind of change needs the id. */
type Subjects<K extends ChangeKind> = K extends ChangeKind
  ?
      | Exclude<EventOf<K> | AuditOf<K>, Who>
      | (Row<K> extends { live: unknown } | { desks: true } ? "appointment" : never)
      | (Row<K> extends { queue: true } ? "queue-session" : never)
  : never;
/** The users whom it concerns. */
type People<K extends ChangeKind> = K extends ChangeKind
  ?
      | Notified<K>
      | Extract<EventOf<K> | AuditOf<K> | AuditPerson<K>, Who>
      | (Row<K> extends { live: readonly (infer W)[] } ? W : never)
      | (Row<K> extends { desks: true } | { pages: "doctor" } ? "doctor" : never)
  : never;

type Subject = Exclude<EventSubject | AuditSubject, Who>;
type Person = string | null | readonly string[];
type Notice<Text> = {
  /** One of the texts of the table. Default: the first. */
  kind?: Text;
  params: NotificationParams;
  target: Target;
};

/** One change, as its command knows it. */
export type Change<K extends ChangeKind> = {
  /** The ids of what changed. */
  subject?: { [S in Subject]?: string };
  /** The ids of the users whom it concerns. null: there is none this time. */
  people?: { [W in Who]?: Person };
  /** The hospital or clinic that it concerns. Default: the one that the actor acts for. */
  place?: string | null;
  /** The new status and other fixed values, for the event. Never names, phones, texts of users or health data. */
  data?: Partial<Record<"to" | "date" | "time" | "field" | "role", string>>;
  /** Of the audit entry: facts without health text, codes or numbers in full. */
  details?: Record<string, unknown>;
} & ([Subjects<K>] extends [never] ? unknown : { subject: { [S in Subjects<K> & Subject]: string } }) &
  ([People<K>] extends [never] ? unknown : { people: { [W in People<K> & Who]: Person } }) &
  // null: this user is not notified this time.
  ([Notified<K>] extends [never] ? { notify?: never } : { notify: { [W in Notified<K>]: Notice<TextFor<K, W>> | null } });

/**
 * Records a change, with everything that follows from it by its row of CHANGES, in the transaction of its command: audit entry, event,
 * notifications and live events are one statement. Emails, SMS, messages to browsers and purges of a CDN are jobs of the same transaction. The
 * relay and the workers see all of it after the commit, so nothing is announced that was rolled back.
 */
export const recordChange = <K extends ChangeKind>(tx: Ctx, kind: K, change: Change<K>): Promise<void> => recordChanges(tx, kind, [change]);

/** Records several changes of one kind in one statement. */
export async function recordChanges<K extends ChangeKind>(tx: Ctx, kind: K, changes: readonly Change<K>[]): Promise<void> {
  if (!changes.length) return;
  const records = new Records(tx);
  for (const change of changes) follow(tx, records, kind, change as AnyChange);
  await records.write();
}

type AnyChange = {
  subject?: { [S in Subject]?: string };
  people?: { [W in Who]?: Person };
  place?: string | null;
  data?: Change<never>["data"];
  details?: Record<string, unknown>;
  notify?: { [W in Who]?: Notice<NotificationKind> | null };
};

/** Adds what follows from a change. @throws Error when the change does not have what its row needs */
function follow(tx: Ctx, to: Records, kind: ChangeKind, change: AnyChange): void {
  const row: Consequences = CHANGES[kind];
  const need = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Error(`${kind}: the change has no ${what}`);
    return value;
  };
  const person = (who: Who) => need(change.people?.[who], who);
  const one = (who: Who) => person(who) as string | null;
  const idOf = (name: Subject | AuditSubject | EventSubject): string =>
    change.subject?.[name as Subject] ?? need((change.people?.[name as Who] as string | null | undefined) ?? undefined, name);

  if (isEventKind(kind)) {
    const subjectId = idOf(kind.slice(0, kind.indexOf(".")) as EventSubject);
    const doctorId = (change.people?.doctor as string | null | undefined) ?? null;
    to.event({ kind, subjectId, doctorId, hospitalId: change.place ?? null, data: change.data ?? {} });
  }
  const notices = (Object.entries(change.notify ?? {}) as [Who, Notice<NotificationKind> | null][]).flatMap(([who, notice]) => {
    if (!notice) return [];
    const texts: readonly NotificationKind[] = row.notify?.[who] ?? [];
    const text = notice.kind ?? texts[0];
    if (!text || !texts.includes(text)) throw new Error(`${kind}: its row does not notify ${who} with ${text}`);
    return [{ who, text, notice }];
  });
  const steps: { [Name in keyof Consequences]-?: (declared: NonNullable<Consequences[Name]>) => void } = {
    audit({ action = kind, of, person: whose }) {
      to.audit({ action, subjectType: of, subjectId: idOf(of), personId: whose ? one(whose) : null, details: change.details ?? {} });
    },
    notify() {
      for (const { who, text, notice } of notices) {
        const ids = person(who);
        for (const id of typeof ids === "string" ? [ids] : (ids ?? [])) to.notify(id, text, notice.params, notice.target);
      }
    },
    live(users) {
      for (const who of users) {
        const id = one(who);
        if (id) to.showAppointment(id, idOf("appointment"));
      }
    },
    desks: () => to.showDesks(idOf("appointment"), idOf("doctor")),
    queue: () => to.showQueue(idOf("queue-session")),
    pages: (of) => to.dropPages(of === "doctor" ? idOf("doctor") : undefined),
    email(name) {
      if (tx.actor?.role === "patient") to.job({ name, data: { appointmentId: idOf("appointment") } });
    },
  };
  // Live events are sent in the order of the row.
  for (const [name, declared] of Object.entries(row)) steps[name as keyof Consequences](declared as never);
}
