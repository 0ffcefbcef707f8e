import type { ReactNode } from "react";
import { classes } from "../class-names.ts";

/**
 * A list, and on very wide screens a panel beside it, which stays in sight. `labelledBy`: the id of its heading. `above`: on narrow
 * screens the panel is above the list.
 */
export const WithPanel = ({
  panel,
  labelledBy,
  above,
  children,
}: {
  panel: ReactNode;
  labelledBy?: string;
  above?: boolean;
  children: ReactNode;
}) => (
  <div className="grid gap-4 *:min-w-0 panel:has-[>aside]:grid-cols-[minmax(0,1fr)_17rem] panel:items-start">
    <div>{children}</div>
    {panel && (
      <aside aria-labelledby={labelledBy} className={classes("panel:sticky panel:top-18", above && "max-desktop:-order-1")}>
        {panel}
      </aside>
    )}
  </div>
);
