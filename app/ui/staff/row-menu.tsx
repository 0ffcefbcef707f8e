import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";

/** Closes a menu and leaves the focus on its button. */
function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

/**
 * The other actions of a row. Opens without scripts; only one is open, because they share a name. With scripts it closes on Escape and when an
 * action is chosen: open, it covers the buttons of the rows below.
 */
export const RowMenu = ({ label, children }: { label: string; children: ReactNode }) => (
  <details
    className="relative"
    name="row-menu"
    onKeyDown={({ key, currentTarget }) => key === "Escape" && close(currentTarget)}
    onSubmit={({ currentTarget }) => close(currentTarget)}
  >
    <summary
      className="ml-auto grid min-h-target-min w-target-min list-none place-items-center rounded-md hover:bg-well [&::-webkit-details-marker]:hidden"
      aria-label={label}
    >
      <Icon name="ellipsis" />
    </summary>
    <div className="absolute right-0 z-4 w-60 rounded-md border border-line bg-card p-1 shadow-float [&_.btn]:flex [&_.btn]:justify-start [&_.btn]:text-left">
      {children}
    </div>
  </details>
);
