import { type ReactNode, useEffect, useRef } from "react";
import { type ButtonLook, LinkButton } from "./button.tsx";
import { classes } from "./class-names.ts";

export const DIALOG = "m-auto w-[min(26rem,calc(100vw-2rem))] rounded-xl bg-card p-6 text-ink";

/**
 * A dialog that works without JavaScript: `<a href="#id">` opens it by `:target`, `<DialogClose>` links back to its opener (give
 * that link `id={dialogOpener(id)}`). With JavaScript the same links open and close it as a modal, without history entries.
 * `<a href="/page" data-dialog="id">` opens it with JavaScript, and the page without.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const hash = `#${id}`;
    const show = () => element.open || element.showModal();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[href^='#'], a[data-dialog]") : null;
      const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (link?.dataset.dialog !== undefined && (link.dataset.dialog !== id || elsewhere)) return;
      if (link?.dataset.dialog === id || link?.getAttribute("href") === hash) show();
      else if (link && element.contains(link)) element.close();
      else if (event.target === element)
        return element.close(); // the backdrop
      else return;
      event.preventDefault();
    };
    // Opened before the script loaded, or by a URL with the fragment.
    const onClose = () => {
      if (location.hash === hash) location.replace(`#${dialogOpener(id)}`);
    };
    if (location.hash === hash) show();
    // Runs before the router's handler, which would follow the link.
    document.addEventListener("click", onClick, true);
    element.addEventListener("close", onClose);
    return () => {
      document.removeEventListener("click", onClick, true);
      element.removeEventListener("close", onClose);
    };
  }, [id]);
  return (
    <dialog
      ref={dialog}
      id={id}
      className={classes(
        DIALOG,
        "backdrop:bg-scrim target:fixed target:inset-0 target:z-8 target:block target:h-fit [&:target:not([open])]:[box-shadow:0_0_0_100vmax_var(--color-scrim)]",
      )}
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
    >
      <div className="space-y-4">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** Returns the id of the link that opens a dialog. */
export const dialogOpener = (id: string) => `${id}-open`;

/** The link that closes its dialog. */
export const DialogClose = ({ dialog, variant = "second", full = true, ...rest }: { dialog: string } & ButtonLook) => (
  <LinkButton {...rest} variant={variant} full={full} to={`#${dialogOpener(dialog)}`} />
);
