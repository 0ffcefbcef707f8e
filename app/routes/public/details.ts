import { redirect } from "react-router";
import { findListed } from "#app/domains/directory/hospitals/directory.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/details.ts";

const PAGES = { doctor: "/details/doctor/", hospital: "/hospital/" };

/** `/details/{id}` and `/details/{type}/{id}`: redirect to the page of a doctor or hospital. */
export const loader = loadOpen(async (ctx, { params }: Route.LoaderArgs) => {
  const kind = await findListed(ctx, params.id);
  const type = "type" in params ? params.type : kind;
  if (!kind || kind !== type) throw new DomainError("not-found", m.directory_item_not_found());
  throw redirect(PAGES[kind] + params.id, 301);
});

/** Never rendered. The error page needs a component. */
export default () => null;
