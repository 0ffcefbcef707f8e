import type { MedicineLine } from "../medicines/line.ts";
import type { WrittenAllergy } from "./known-allergies.ts";
import { sharesName } from "./medicine-names.ts";

/** A written allergy that shares a name with a medicine. */
export type AllergyStop = {
  allergy: string;
  /** The part of the text with the name: "amoxicillin" of "ibuprofen, amoxicillin (rash)". */
  name: string;
  /** Null: written in this visit only. */
  noted: { by: string; on: string } | null;
  /** The index of the line. */
  line: number;
  medicine: string;
};

/** Most characters of a reason. */
export const MOST_REASON = 500;

/** Finds the medicines that share a name with an allergy. `own`: as written in this visit. `written`: in earlier notes. */
export function findStops(own: string, written: readonly WrittenAllergy[], lines: readonly MedicineLine[]): AllergyStop[] {
  const isOwn = ({ what }: WrittenAllergy) => what.toLowerCase() === own.toLowerCase();
  const all = [
    ...(own ? [{ what: own, noted: written.find(isOwn) ?? null }] : []),
    ...written.filter((one) => !isOwn(one)).map((one) => ({ what: one.what, noted: one })),
  ];
  return lines.flatMap(({ name, brand, strength }, line) =>
    all.flatMap(({ what, noted }) => {
      const hit = [name, brand ?? ""].find((text) => sharesName(what, text));
      if (hit === undefined) return [];
      const part = what.split(/[,;.\n(]+/).find((one) => sharesName(one, hit)) ?? what;
      const medicine = [name, strength, brand && `(${brand})`].filter(Boolean).join(" ");
      return [{ allergy: what, name: part.trim(), noted: noted && { by: noted.by, on: noted.on }, line, medicine }];
    }),
  );
}

/** One text of all stops: sent back with the reason, so that a reason counts only for the stops that its doctor read. */
export const seenStops = (stops: readonly AllergyStop[]): string =>
  stops.map(({ allergy, medicine }) => `${allergy} | ${medicine}`).join(" || ");
