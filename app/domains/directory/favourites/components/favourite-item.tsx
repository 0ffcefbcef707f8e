/** Parts of the pages that list a favourite or link to the list. Not in favourites.tsx, which every patient page loads. */
import { type ReactNode, useContext } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button } from "#app/ui/button.tsx";
import { type Favourite, favouriteKey } from "../favourite.ts";
import { FORM, PressedContext } from "./favourites.tsx";

/** The card of a favourite. Once removed by a script, a line with "Undo" replaces it. */
export function FavouriteItem({ kind, id, name, children }: Favourite & { name: string; children: ReactNode }) {
  const pressed = useContext(PressedContext);
  return pressed[favouriteKey({ kind, id })] === false ? <RemovedFavourite kind={kind} id={id} name={name} /> : children;
}

/** "Removed: Dr. X", with a button that adds the favourite again. */
export function RemovedFavourite({ kind, id, name }: Favourite & { name: string }) {
  return (
    <div className="flex gap-3 rounded-md border-l-4 border-ok bg-ok-soft px-4 py-3" role="status">
      <p className="grow">{m.favourites_removed({ name })}</p>
      <Button type="submit" variant="second" size="sm" form={FORM} name="add" value={favouriteKey({ kind, id })}>
        {m.favourites_undo()}
        <span className="sr-only"> {name}</span>
      </Button>
    </div>
  );
}

/** A link to the page of favourites, while this is one. */
export function FavouritesLink({ kind, id, on: known }: Favourite & { on: boolean }) {
  const on = useContext(PressedContext)[favouriteKey({ kind, id })] ?? known;
  return on ? (
    <p className="text-sm">
      <AnyLink to={href("/favourites")}>{m.favourites_see()}</AnyLink>
    </p>
  ) : null;
}
