import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { ENQUIRY_DIALOG, ENQUIRY_PATH } from "./enquiry-opener.ts";

/** Loaded on first use: its form code is a tenth of a page's scripts, and most visits do not need it. */
const EnquiryDialog = lazy<ComponentType>(() =>
  import("./enquiry-dialog.tsx").catch(() => {
    // The chunk did not load: opens the page of the enquiry, as without JavaScript.
    location.assign(ENQUIRY_PATH);
    return { default: () => null };
  }),
);

/** Loads the dialog at the first press of a link to it. Then the dialog handles its links. */
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
    // Runs before the router's handler, which would follow the link.
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
