import { checkedLinesCsv, settlementLinesCsv, settlementsCsv } from "#app/domains/money/settlements/csv.ts";
import type { CheckedLine, OwnLine, OwnSettlement } from "#app/domains/money/settlements/settlements.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { csvResponse } from "./csv-response.server.ts";

const file = (name: string, text: string): Response => csvResponse(text, `${name}.csv`);

/** Returns the settlements of a doctor or a place as a CSV file. */
export const settlementsFile = (settlements: readonly OwnSettlement[], now: Date): Response =>
  file(`nadi-settlements-${todayInIndia(now)}`, settlementsCsv(settlements));

/** Returns the lines of a settlement as a CSV file. */
export const settlementFile = ({ settlement, lines }: { settlement: OwnSettlement; lines: readonly OwnLine[] }): Response =>
  file(
    `nadi-settlement-${todayInIndia(settlement.settledAt)}-${settlement.id.replace(/[^\w-]/g, "")}`,
    settlementLinesCsv({ settlement, lines }),
  );

/** Returns the lines of a month as a CSV file for administrators. */
export const checkedLinesFile = (lines: readonly CheckedLine[], month: string): Response =>
  file(`nadi-settlement-lines-${month}`, checkedLinesCsv(lines));
