import { href } from "react-router";
import { load } from "#app/http/load.server.ts";
import { loadSupportList } from "#app/http/support.server.ts";
import { m } from "#app/paraglide/messages.js";
import { SupportList } from "../../shared/support-pages.tsx";
import type { Route } from "./+types/list.ts";

export const loader = load(loadSupportList);

export default function OwnSupport({ loaderData }: Route.ComponentProps) {
  return <SupportList data={loaderData} base={href("/patient/support")} back={href("/patient/contact-us")} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_title() }) }];
