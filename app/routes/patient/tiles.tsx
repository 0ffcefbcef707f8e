import type { ReactNode } from "react";
import { AnyLink } from "#app/ui/button.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Leafy } from "#app/ui/pieces.tsx";

/** Links with large icons, as many in a row as fit. */
export const tileRow =
  "grid grid-cols-[repeat(auto-fill,minmax(4.5em,1fr))] gap-2 max-[22rem]:grid-cols-[repeat(auto-fill,minmax(3.9em,1fr))] max-[22rem]:gap-1";

export const Tile = ({ to, icon, children }: { to: string; icon: IconName; children: ReactNode }) => (
  <AnyLink
    className="flex flex-col items-center gap-1.5 rounded-md py-2.5 text-center text-sm leading-control font-medium text-ink no-underline hover:bg-well [&_svg]:size-7 [&_svg]:stroke-[1.6] max-[22rem]:text-[0.8125rem]"
    to={to}
    data-tile
    {...(to.startsWith("https:") && { target: "_blank", rel: "noreferrer" })}
  >
    <Leafy icon={icon} />
    {children}
  </AnyLink>
);
