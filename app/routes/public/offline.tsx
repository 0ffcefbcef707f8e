import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { OfflinePage } from "#app/ui/offline-page.tsx";
import type { Route } from "./+types/offline.ts";

/** The page that the service worker stores for visitors (public/sw.js). */
export const handle: PageHandle = { lite: true, alone: true };

export const meta: Route.MetaFunction = () => [
  { title: m.ui_title({ page: m.ui_offline_title() }) },
  { name: "robots", content: "noindex" },
];

export default function Offline() {
  return <OfflinePage />;
}
