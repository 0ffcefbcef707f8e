import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { isNear, NEAR_KM } from "../near-km.ts";

type Placed = { id: string; distanceKm: number | null };

/**
 * Cards of a list. `nearFirst`: the order is by distance, so those near the chosen place and the others have their own headings;
 * `none`: the text when none is near. Without it one heading for screen readers, `label`.
 */
export function NearSections<T extends Placed>({
  list,
  nearFirst,
  none,
  label,
  card,
}: {
  list: T[];
  nearFirst: boolean;
  none: string | null;
  label: string;
  card: (one: T, i: number) => ReactNode;
}) {
  const firstFar = nearFirst ? list.findIndex((one) => !isNear(one)) : -1;
  const near = firstFar < 0 ? list : list.slice(0, firstFar);
  const far = firstFar < 0 ? [] : list.slice(firstFar);
  return (
    <>
      {nearFirst && none && <Note className="mb-3">{none}</Note>}
      {near.length > 0 && (
        <>
          <h2 className={nearFirst ? "mb-3" : "sr-only"}>{nearFirst ? m.directory_within({ km: String(NEAR_KM) }) : label}</h2>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">{near.map(card)}</div>
        </>
      )}
      {far.length > 0 && (
        <>
          <h2 className={near.length > 0 ? "mt-7 mb-3" : "mb-3"}>{m.directory_further_away()}</h2>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">{far.map((one, i) => card(one, near.length + i))}</div>
        </>
      )}
    </>
  );
}
