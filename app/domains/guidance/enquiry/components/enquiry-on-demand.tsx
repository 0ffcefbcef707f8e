import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { ENQUIRY_DIALOG, ENQUIRY_PATH } from "./enquiry-opener.ts";

/** Its forms are a tenth of all scripts of a page, and most visits never ask: it comes when it is asked for. */
const EnquiryDialog = lazy<ComponentType>(() =>
  import("./enquiry-dialog.tsx").catch(() => {
    // No line just now: the page of the enquiry is asked for, as it is without scripts.
    location.assign(ENQUIRY_PATH);
    return { default: () => null };
  }),
);

/** Brings the dialog at the first press of a link to it; from then on the dialog listens for itself. */
export function EnquiryOnDemand() {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (asked) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-dialog]") : null;
      const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (link?.dataset.dialog !== ENQUIRY_DIALOG || elsewhere) return;
      event.preventDefault();
      setAsked(true);
    };
    // Before the router's own handler, which follows a link unless it was told not to.
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, [asked]);
  return (
    asked && (
      <Suspense>
        <EnquiryDialog />
      </Suspense>
    )
  );
}
