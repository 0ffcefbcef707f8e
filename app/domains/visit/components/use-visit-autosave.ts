import { type RefObject, useEffect, useState } from "react";
import { type SaveState, startAutosave } from "./autosave.ts";

/** Saves the form of a visit as a draft while the doctor types (autosave.ts). `turn`: the hidden field that counts the posts of this page. */
export function useVisitAutosave(
  form: RefObject<HTMLFormElement | null>,
  turn: RefObject<HTMLInputElement | null>,
  path: string,
): SaveState {
  const [state, setState] = useState<SaveState>({ savedAt: null, failed: null, conflict: null });
  useEffect(() => {
    const shown = form.current;
    if (!shown) return;
    return startAutosave({
      form: shown,
      page: window,
      count: () => {
        if (turn.current) turn.current.value = String(Number(turn.current.value) + 1);
      },
      post: () =>
        fetch(path, {
          method: "POST",
          body: new URLSearchParams([...new FormData(shown)].map(([k, v]) => [k, String(v)])),
          keepalive: true,
        }),
      show: setState,
    });
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
