import type { SubmissionResult } from "@conform-to/react";
import { useEffect, useRef } from "react";
import { useFetcher, useLocation } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { EnquiryForm } from "./enquiry-form.tsx";
import { ENQUIRY_DIALOG } from "./enquiry-opener.ts";

/** The enquiry as a dialog over any page, with JavaScript only. Shows errors inside, and opens the result. */
export default function EnquiryDialog() {
  const { key: page } = useLocation();
  const fetcherKey = `enquiry-${page}`;
  const fetcher = useFetcher<{ result?: SubmissionResult<string[]> }>({ key: fetcherKey });
  // Opens when it is loaded, and closes with a navigation.
  const opened = useRef(page);
  useEffect(() => {
    const dialog = document.getElementById(ENQUIRY_DIALOG) as HTMLDialogElement | null;
    if (opened.current === page) dialog?.showModal();
    else dialog?.close();
    opened.current = "";
    return () => dialog?.close();
  }, [page]);
  return (
    <Dialog id={ENQUIRY_DIALOG} title={m.enquiry_title()}>
      <p className="text-ink-soft">{m.enquiry_text()}</p>
      <EnquiryForm key={page} id="ask" result={fetcher.data?.result} fetcherKey={fetcherKey} pending={fetcher.state !== "idle"}>
        <DialogClose dialog={ENQUIRY_DIALOG} variant="quiet" full={false}>
          {m.enquiry_cancel()}
        </DialogClose>
      </EnquiryForm>
    </Dialog>
  );
}
