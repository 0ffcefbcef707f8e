import { type RefObject, useEffect, useState } from "react";

const PAUSE = 1500;
/** Between two tries without a network. */
const AGAIN = 5000;

/** What the page shows about its saving: when, why it failed, or that another tab saved meanwhile. */
type SaveState = { savedAt: string | null; failed: "network" | "login" | null; conflict: string | null };

/**
 * Saves the form of a visit after a pause and when the page is left. Without a network it tries again until it is back. `turn`: the hidden field
 * that counts the posts of this page, so that a late one never replaces a newer one. Stops after a conflict: the form's own buttons then show it.
 */
export function useVisitAutosave(
  form: RefObject<HTMLFormElement | null>,
  turn: RefObject<HTMLInputElement | null>,
  path: string,
): SaveState {
  const [state, setState] = useState<SaveState>({ savedAt: null, failed: null, conflict: null });
  useEffect(() => {
    const shown = form.current;
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let changed = false;
    let stopped = false;
    const count = () => {
      if (turn.current) turn.current.value = String(Number(turn.current.value) + 1);
    };
    const again = (failed: "network" | "login") => {
      changed = true;
      clearTimeout(timer);
      timer = setTimeout(save, AGAIN);
      setState((known) => ({ ...known, failed }));
    };
    const save = async () => {
      if (!changed || stopped) return;
      changed = false;
      clearTimeout(timer);
      count();
      try {
        const answer = await fetch(path, {
          method: "POST",
          body: new URLSearchParams([...new FormData(shown)].map(([k, v]) => [k, String(v)])),
          keepalive: true,
        });
        // The page of a login: the session has ended. The form's own buttons carry the text through the login.
        if (!answer.headers.get("content-type")?.includes("json")) return again(answer.status < 500 ? "login" : "network");
        const said = (await answer.json()) as { savedAt?: string; message?: string };
        if (answer.ok) setState({ savedAt: said.savedAt ?? null, failed: null, conflict: null });
        else if (answer.status === 409) {
          stopped = true;
          setState({ savedAt: null, failed: null, conflict: said.message ?? null });
        } else again("network");
      } catch {
        again("network");
      }
    };
    const note = () => {
      changed = true;
      clearTimeout(timer);
      timer = setTimeout(save, PAUSE);
    };
    const submitted = () => {
      clearTimeout(timer);
      changed = false;
      count();
    };
    shown.addEventListener("input", note);
    shown.addEventListener("submit", submitted, true);
    addEventListener("online", save);
    addEventListener("pagehide", save);
    return () => {
      void save();
      clearTimeout(timer);
      stopped = true;
      shown.removeEventListener("input", note);
      shown.removeEventListener("submit", submitted, true);
      removeEventListener("online", save);
      removeEventListener("pagehide", save);
    };
  }, [form, turn, path]);
  return state;
}

/** Loads the list of generic names when a name is typed for the first time, so that the page stays small. It holds names only, never a dose. */
export function useGenericNames(): { names: readonly string[]; load: () => void } {
  const [names, setNames] = useState<readonly string[] | null>(null);
  const load = () => {
    if (names) return;
    setNames([]);
    fetch("/medicines.txt")
      .then((answer) => (answer.ok ? answer.text() : ""))
      .then((text) => setNames(text.split("\n").filter(Boolean)))
      .catch(() => setNames(null));
  };
  return { names: names ?? [], load };
}
