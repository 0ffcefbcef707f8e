import { Fragment, type ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { isNear } from "../near-km.ts";

type Placed = { id: string; distanceKm: number | null };

/** Splits a list into grids of `step`, so that the address after "Load more" leads to the first new card. */
const steps = <T,>(list: T[], step: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / step) }, (_, i) => list.slice(i * step, (i + 1) * step));

/**
 * Cards sorted by distance, in grids of `step` with the ids `${anchor}0`, `${anchor}1`, …. Those that are not near the chosen place
 * come under "Further away". `none`: the text when none is near.
 */
export function NearFirst<T extends Placed>({
  list,
  step,
  anchor,
  none,
  card,
}: {
  list: T[];
  step: number;
  anchor: string;
  none: string | null;
  card: (one: T) => ReactNode;
}) {
  const firstFar = list.find((one) => !isNear(one));
  return (
    <>
      {none !== null && list.length > 0 && list[0] === firstFar && <Note className="mb-3">{none}</Note>}
      {steps(list, step).map((some, i) => {
        const near = some.filter(isNear);
        const far = some.filter((one) => !isNear(one));
        const id = `${anchor}${i}`;
        return (
          <Fragment key={some[0]?.id}>
            {near.length > 0 && (
              <div id={id} className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
                {near.map(card)}
              </div>
            )}
            {far.length > 0 && far[0] === firstFar && <FurtherAway />}
            {far.length > 0 && (
              <div id={near.length > 0 ? undefined : id} className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
                {far.map(card)}
              </div>
            )}
          </Fragment>
        );
      })}
    </>
  );
}

/** The heading above what is not near the chosen place. */
export const FurtherAway = () => <h3 className="mt-7 mb-3">{m.directory_further_away()}</h3>;
