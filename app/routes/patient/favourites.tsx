import { href } from "react-router";
import { addFavourite, removeFavourite } from "#app/domains/directory/favourites/change-favourites.server.ts";
import { heartId } from "#app/domains/directory/favourites/favourite.ts";
import { PressSchema } from "#app/domains/directory/favourites/favourites.schema.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { redirectTo, redirectWithToast, safePath } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { waitingFavouriteCookie } from "#app/http/waiting-favourite.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/favourites.ts";

const HOME = href("/patient-dashboard");
export const loader = () => redirectTo(HOME);

/**
 * Handles a press of a heart. Redirects to the page of the heart, at the same place. Redirects a visitor to the login, which adds
 * the favourite in the cookie. Posts of the script (`stay`) get an empty response.
 */
export function action({ context, request }: Route.ActionArgs) {
  return orRefuse(async () => {
    const { formData } = await readForm(request);
    const posted = PressSchema.safeParse(Object.fromEntries(formData));
    if (!posted.success) throw new DomainError("invalid");
    const { add, remove, from, stay } = posted.data;
    const favourite = add ?? remove;
    if (!favourite) throw new DomainError("invalid");
    const page = safePath(from?.split("#")[0], HOME);
    const back = `${page}#${heartId(favourite.id)}`;
    const role = context.get(sessionContext)?.role;
    if (!role) {
      const login = `${href("/dual-patient")}?redirectTo=${encodeURIComponent(back)}`;
      return add
        ? redirectWithToast(login, m.favourites_login_first(), { type: "info", cookies: [waitingFavouriteCookie(add)] })
        : redirectTo(login);
    }
    if (role !== "patient") return redirectWithToast(page, m.favourites_patients_only(), { type: "error" });
    try {
      await (add ? addFavourite : removeFavourite)(actorCtxOf(context), favourite);
    } catch (error) {
      if (error instanceof DomainError && error.code === "not-found")
        return redirectWithToast(page, m.favourites_gone(), { type: "warning" });
      throw error;
    }
    return stay ? new Response(null, { status: 204 }) : redirectTo(back);
  });
}
