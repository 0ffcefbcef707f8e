/** The cells that rows of appointments and of walk-ins share. `beside`: a panel is beside the table, and columns are narrow. */
import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { LineCell } from "#app/ui/staff/lines.tsx";

type CellProps = { beside: boolean | undefined; children: ReactNode };

export const TimeCell = ({ beside, children }: CellProps) => (
  <LineCell first {...(beside && { wraps: true, className: "desktop:min-w-28" })}>
    {children}
  </LineCell>
);

export const TokenCell = ({ number }: { number: number | null | undefined }) => (
  <LineCell first className="num">
    {number && (
      <>
        <span className="desktop:sr-only">{m.agenda_token()}</span> <b className="text-base">{number}</b>
      </>
    )}
  </LineCell>
);

export const NameCell = ({ children }: { children: ReactNode }) => (
  <LineCell fills className="desktop:min-w-48 wrap-normal">
    {children}
  </LineCell>
);

export const DoctorCell = ({ beside, children }: CellProps) => (
  <LineCell wraps className={beside ? "desktop:min-w-24" : "desktop:min-w-28"}>
    {children}
  </LineCell>
);

export const StateCell = ({ beside, children }: CellProps) => (
  <LineCell first wraps className={classes("max-desktop:ml-auto desktop:min-w-34", beside && "[&_.badge]:whitespace-normal")}>
    {children}
  </LineCell>
);

export const StepCell = ({ beside, children }: CellProps) => (
  <LineCell
    className={classes(
      "max-desktop:grow max-desktop:basis-28 [&_.btn]:w-full max-desktop:[&_.btn]:min-h-target-min",
      beside && "desktop:[&_.btn]:px-2",
    )}
  >
    {children}
  </LineCell>
);
