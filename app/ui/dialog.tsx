import { type ReactNode, useEffect, useRef } from "react";
import { AnyLink } from "./button.tsx";

/**
 * A dialog that opens without JavaScript: `<a href="#id">` shows it by `:target`, `<DialogClose>` leads back to the link that
 * opened it (give that link `id={dialogOpener(id)}`). With JavaScript the same links open and close it as a modal: focus
 * stays inside, Escape closes it, and no entry is left in the history.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const hash = `#${id}`;
    const show = () => element.open || element.showModal();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
      const href = link?.getAttribute("href");
      if (href === hash) show();
      else if (link && element.contains(link)) element.close();
      else if (event.target === element)
        return element.close(); // the ground around it
      else return;
      event.preventDefault();
    };
    // Opened before the script came, or by an address with the fragment.
    const onClose = () => {
      if (location.hash === hash) location.replace(`#${dialogOpener(id)}`);
    };
    if (location.hash === hash) show();
    document.addEventListener("click", onClick);
    element.addEventListener("close", onClose);
    return () => {
      document.removeEventListener("click", onClick);
      element.removeEventListener("close", onClose);
    };
  }, [id]);
  return (
    <dialog ref={dialog} id={id} className="dialog" aria-labelledby={`${id}-title`} tabIndex={-1}>
      <div className="stack">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The id of the link that opens a dialog. */
export const dialogOpener = (id: string) => `${id}-open`;

/** The link that closes the dialog it stands in. */
export function DialogClose({
  dialog,
  className = "btn second full",
  children,
}: {
  dialog: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <AnyLink to={`#${dialogOpener(dialog)}`} className={className}>
      {children}
    </AnyLink>
  );
}
