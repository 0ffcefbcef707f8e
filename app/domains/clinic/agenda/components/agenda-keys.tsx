import { useEffect } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

const DIALOG = "agenda-keys";
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

const rows = () => [...document.querySelectorAll<HTMLElement>("[data-visit]")];
/** The row with the focus, otherwise the one in the panel. */
const currentRow = () =>
  document.activeElement?.closest<HTMLElement>("[data-visit]") ?? document.querySelector<HTMLElement>("[data-visit]:has([aria-current])");

function moveBy(step: 1 | -1) {
  const all = rows();
  const at = all.indexOf(currentRow() as HTMLElement);
  const next = all[at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
  next?.querySelector<HTMLElement>("[data-line]")?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
const press = (key: string) => currentRow()?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
const openHelp = () => (document.getElementById(DIALOG) as HTMLDialogElement | null)?.showModal();

const KEYS: Record<string, () => void> = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  a: () => press("accept"),
  c: () => press("cancel"),
  "/": () => document.querySelector<HTMLElement>("main input[type=search]")?.focus(),
  "?": openHelp,
};

/** Keys of the agenda, and the button and dialog that list them. Renders nothing without JavaScript. */
export function AgendaKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const act = KEYS[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (!useHydrated()) return null;
  return (
    <>
      <Button variant="quiet" size="sm" className="hidden desktop:inline-flex" onClick={openHelp}>
        {m.agenda_keys()}
      </Button>
      <Dialog id={DIALOG} title={m.agenda_keys()}>
        <Facts
          items={[
            ["J, K", m.agenda_key_move()],
            ["Enter", m.agenda_key_open()],
            ["A", m.agenda_key_accept()],
            ["C", m.agenda_key_cancel()],
            ["/", m.agenda_key_search()],
            ["?", m.agenda_key_help()],
          ]}
        />
        <DialogClose dialog={DIALOG}>{m.ui_close()}</DialogClose>
      </Dialog>
    </>
  );
}
