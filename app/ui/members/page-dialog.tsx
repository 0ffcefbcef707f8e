import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { IconButton } from "../button.tsx";
import { classes } from "../class-names.ts";
import { DIALOG } from "../dialog.tsx";

/**
 * A dialog with its own URL over the page of its parent route. `back`: that page. With JavaScript it is modal, and Escape
 * goes back.
 */
export function PageDialog({ title, back, children }: { title: string; back: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    // The server renders it open; `showModal` needs a closed one.
    element.close();
    element.showModal();
    // Focuses the first field instead of the close link, unless the error summary takes the focus.
    if (!element.querySelector(".summary")) element.querySelector<HTMLElement>("form input:not([type=hidden])")?.focus();
    const onCancel = (event: Event) => {
      event.preventDefault();
      void navigate(back, { preventScrollReset: true });
    };
    element.addEventListener("cancel", onCancel);
    return () => element.removeEventListener("cancel", onCancel);
  }, [back, navigate]);
  return (
    <dialog
      ref={dialog}
      open
      className={classes(
        DIALOG,
        "fixed inset-0 z-8 h-fit max-h-[calc(100%-2rem)] overflow-auto shadow-[0_0_0_100vmax_var(--color-scrim)] backdrop:bg-transparent",
      )}
      aria-labelledby="page-dialog-title"
    >
      <div className="row">
        <h2 id="page-dialog-title" className="grow">
          {title}
        </h2>
        <IconButton icon="x" label={m.ui_close()} to={back} />
      </div>
      {children}
    </dialog>
  );
}
