import { type ChangeEvent, type FormEvent, useEffect, useRef } from "react";
import { useSubmit } from "react-router";

/** Returns the fields that say something: a list's address has no default values. */
function filledIn(form: HTMLFormElement): URLSearchParams {
  const filled = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && value.trim() && !(name === "sort" && value === "default")) filled.append(name, value);
  return filled;
}

/**
 * The form of a list with JavaScript: a choice applies at once, together with what is typed. `address`: what the fields show; a
 * chip changes it without the form. A new `key` would take the focus from the field.
 */
export function useListForm(path: string, address: string) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  const submit = useSubmit();
  useEffect(() => {
    // The server has filled in the fields. What the user typed before the scripts arrived stays.
    if (shown.current === address) return;
    shown.current = address;
    const query = new URLSearchParams(address.split("?")[1] ?? "");
    for (const field of form.current?.elements ?? []) {
      const named = field as HTMLInputElement | HTMLSelectElement;
      const value = query.get(named.name) ?? (named.name === "sort" ? "default" : "");
      if (named instanceof HTMLInputElement && named.type === "radio") named.checked = named.value === value;
      else if (named.name && named.type !== "hidden") named.value = value;
    }
  }, [address]);
  return {
    ref: form,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(filledIn(event.currentTarget), { action: path });
    },
    onChange: (event: ChangeEvent<HTMLFormElement>) => {
      if ((event.target as EventTarget & { name?: string }).name === "q") return;
      void submit(filledIn(event.currentTarget), { action: path, preventScrollReset: true });
    },
  };
}
