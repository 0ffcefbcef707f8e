import { createContext, type ReactNode, type SubmitEvent, useContext, useState } from "react";
import { href, useLocation } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { showToast } from "#app/ui/toast.tsx";
import { type Favourite, favouriteKey, heartId } from "../favourite.ts";

export const FORM = "fav";
const PATH = href("/favourites");

/** Hearts pressed since the page was loaded, by `favouriteKey`. */
export const PressedContext = createContext<Record<string, boolean>>({});

/**
 * Wraps the pages of the patient frame with the single form of all hearts: a form in each of twenty cards would cost much of the
 * first 14 KB. Without JavaScript a press is a post that returns to the same place of the page. With JavaScript a patient (`own`)
 * stays and the heart changes immediately. A visitor's press always goes to the server, which redirects to the login.
 */
export function Favourites({ own, children }: { own: boolean; children: ReactNode }) {
  const { key: page, pathname, search } = useLocation();
  const [pressed, setPressed] = useState<{ page: string; hearts: Record<string, boolean> }>({ page, hearts: {} });
  const hearts = pressed.page === page ? pressed.hearts : {};
  const show = (heart: string, on: boolean) =>
    setPressed((before) => ({ page, hearts: { ...(before.page === page ? before.hearts : {}), [heart]: on } }));

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const button = event.nativeEvent.submitter as HTMLButtonElement | null;
    if (!own || !button) return;
    event.preventDefault();
    const wanted = button.name === "add";
    const heart = button.value;
    const body = new URLSearchParams({ [button.name]: heart, stay: "1" });
    show(heart, wanted);
    try {
      const answer = await fetch(PATH, { method: "POST", body, redirect: "manual" });
      if (answer.status === 204) return;
      show(heart, !wanted);
      // The session ended, or the doctor left the directory: a full post shows the error.
      const again = Object.assign(document.createElement("input"), { type: "hidden", name: wanted ? "add" : "remove", value: heart });
      form.append(again);
      form.submit();
    } catch {
      show(heart, !wanted);
      showToast({ type: "error", message: m.favourites_offline() });
    }
  };
  return (
    <PressedContext value={hearts}>
      {children}
      <form id={FORM} method="post" action={PATH} onSubmit={onSubmit} hidden>
        <input type="hidden" name="from" value={pathname + search} />
      </form>
    </PressedContext>
  );
}

/** The heart of a card or page in the patient frame. `on`: the state on the server. */
export function FavouriteButton({ kind, id, name, on: known, className }: Favourite & { name: string; on: boolean; className?: string }) {
  const key = favouriteKey({ kind, id });
  const on = useContext(PressedContext)[key] ?? known;
  return (
    <button
      type="submit"
      className={classes("icon-btn", on && "on", className)}
      id={heartId(id)}
      form={FORM}
      name={on ? "remove" : "add"}
      value={key}
      aria-pressed={on}
      aria-label={m.favourites_label({ name })}
    >
      <Icon name="heart" />
    </button>
  );
}
