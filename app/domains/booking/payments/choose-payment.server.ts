import { and, eq } from "drizzle-orm";
import { appointments, doctors } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { changedAt, openVisit, startsLater } from "#app/domains/visit-time.server.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { PaymentMethod } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { onlineMethod } from "./payment-options.ts";
import { dueOf } from "./payment-status.ts";
import { VISIT_SUMS } from "./visit-sums.server.ts";

/**
 * Stores how the acting patient intends to pay. It does not mean that they paid: only the payee can confirm that. Without a fee only
 * the clinic can be paid. @throws DomainError("not-found"), or "conflict" when the appointment is closed or has started, its doctor
 * is not listed, nothing is to pay, or the bank is confirming a payment, or "invalid" for a way that is not configured
 */
export function choosePayment(ctx: Ctx<Actor>, input: { id: string; method: PaymentMethod }): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!isUuid(input.id)) throw new DomainError("not-found");
    const [row] = await tx.db
      .select({
        status: appointments.status,
        fee: appointments.fee,
        discount: appointments.discount,
        ...VISIT_SUMS,
        prepayUntil: appointments.prepayUntil,
        payable: and(openVisit(appointments), startsLater(appointments, minuteInIndia(tx.now)), listedDoctor(doctors))!.mapWith(Boolean),
      })
      .from(appointments)
      .innerJoin(doctors, eq(doctors.id, appointments.doctorId))
      .where(and(eq(appointments.id, input.id), eq(appointments.patientId, tx.actor.userId)))
      .for("update", { of: appointments });
    if (!row) throw new DomainError("not-found");
    if (!row.payable) throw new DomainError("conflict", m.payments_not_live());
    if (row.fee && row.fee <= row.discount) throw new DomainError("conflict", m.payments_covered());
    if (row.fee && dueOf(row) === 0) throw new DomainError("conflict", m.online_nothing_due());
    if (row.confirming) throw new DomainError("conflict", m.online_confirming());
    if (row.prepayUntil && tx.integrations.payments) throw new DomainError("conflict", m.prepay_only_online());
    if (input.method !== "clinic" && (!row.fee || input.method !== onlineMethod(env().payment))) throw new DomainError("invalid");
    await tx.db
      .update(appointments)
      .set({ paymentMethod: input.method, updatedAt: changedAt(tx.now) })
      .where(eq(appointments.id, input.id));
    await recordChange(tx, "choose-payment", {
      subject: { appointment: input.id },
      people: { patient: tx.actor.userId },
      details: { method: input.method },
    });
  });
}
