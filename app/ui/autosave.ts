import { type RefObject, useEffect } from "react";

const PAUSE = 800;

/**
 * Saves a form as a draft after a pause and when the page is left: posts it to its own page (`intent=draft`, without files).
 * Ignores the response: errors are shown after the form's own button.
 * @param turn the hidden field that counts the posts of this page
 */
export function useAutosave(formId: string, turn: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let changed = false;
    /** The form was submitted: its own post has the text. */
    let submitted = false;
    const forget = () => {
      changed = false;
      clearTimeout(timer);
    };
    const save = () => {
      if (!changed) return;
      forget();
      if (turn.current) turn.current.value = String(Number(turn.current.value) + 1);
      const body = new FormData(form);
      for (const [name, value] of [...body]) if (value instanceof File) body.delete(name);
      body.set("intent", "draft");
      fetch(location.pathname, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {
        changed = !submitted;
      });
    };
    const submit = () => {
      submitted = true;
      forget();
    };
    const note = () => {
      changed = true;
      submitted = false;
      clearTimeout(timer);
      timer = setTimeout(save, PAUSE);
    };
    form.addEventListener("input", note);
    form.addEventListener("submit", submit);
    addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("input", note);
      form.removeEventListener("submit", submit);
      removeEventListener("pagehide", save);
    };
  }, [formId, turn]);
}
