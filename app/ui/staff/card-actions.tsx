import type { ReactNode } from "react";

/** The buttons at the end of a card; one with the class `end` is at the right. It never wraps alone: icons are hidden first, then the filled button takes a line. */
export const CardActions = ({ children }: { children: ReactNode }) => (
  <div className="foot *:flex-auto tab:[&>.end]:ml-auto [&>.quiet]:px-2 max-[24.25rem]:[&_.i]:hidden max-[23rem]:*:px-2 max-[23rem]:[&>:first-child:not(.second)]:basis-full max-tab:[&:lang(te)>:first-child:not(.second)]:basis-full">
    {children}
  </div>
);
