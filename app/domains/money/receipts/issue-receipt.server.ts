import { eq, sql } from "drizzle-orm";
import { doctors, hospitals, receiptSeries, receipts } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { financialYearOf } from "./receipt-number.ts";

const ADDRESS = {
  name: hospitals.name,
  address: hospitals.address,
  area: hospitals.area,
  city: hospitals.city,
  pinCode: hospitals.pinCode,
};

/**
 * Issues the receipt of a payment with the next number of its merchant, in the transaction of the payment. A doctor's receipt has the address of
 * the place of the appointment.
 */
export async function issueReceipt(
  tx: Ctx,
  of: { paymentId: string; merchantId: string; doctorId: string; placeId: string | null },
): Promise<void> {
  const { paymentId, merchantId } = of;
  const [doctor] = await tx.db.select({ name: doctors.fullName }).from(doctors).where(eq(doctors.id, of.doctorId));
  const [place] = of.placeId === null ? [] : await tx.db.select(ADDRESS).from(hospitals).where(eq(hospitals.id, of.placeId));
  const isPlace = merchantId === of.placeId;
  const address = place ? [...(isPlace ? [] : [place.name]), place.address, place.area, place.city, place.pinCode] : [];
  const financialYear = financialYearOf(todayInIndia(tx.now));
  const [next] = await tx.db
    .insert(receiptSeries)
    .values({ merchantId, financialYear, last: 1 })
    .onConflictDoUpdate({ target: [receiptSeries.merchantId, receiptSeries.financialYear], set: { last: sql`${receiptSeries.last} + 1` } })
    .returning({ number: receiptSeries.last });
  await tx.db.insert(receipts).values({
    paymentId,
    merchantId,
    financialYear,
    number: next!.number,
    merchantName: isPlace && place ? place.name : doctor!.name,
    merchantAddress: joinOnce(address),
    issuedAt: tx.now,
  });
}

/** Joins the parts of an address without those that an earlier part already names. */
const joinOnce = (parts: readonly (string | null)[]): string =>
  parts.reduce<string>((text, part) => (!part || text.includes(part) ? text : text ? `${text}, ${part}` : part), "");
