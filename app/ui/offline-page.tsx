import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { buttonClass } from "./button.tsx";
import { EmergencyNumbers } from "./error-page.tsx";
import { Icon } from "./icon.tsx";
import { SplitPage } from "./split-page.tsx";

/**
 * The page that the service worker shows without a network (public/sw.js): 108 and 112, and in `children` the last known data. It
 * replaces any page, so its button loads the same URL again.
 */
export function OfflinePage({ children }: { children?: ReactNode }) {
  return (
    <SplitPage drawing="help" tagline={m.common_tagline()} lean languages={false}>
      <h1>{m.ui_offline_title()}</h1>
      <p className="text-ink-soft mt-2">{m.ui_offline_text()}</p>
      <div className="mt-4 grid gap-2.5">
        {/* biome-ignore lint/a11y/useValidAnchor: the empty address is the one in the browser's bar, with its query */}
        <a className={buttonClass({ size: "lg", full: true })} href="">
          <Icon name="refresh-cw" />
          {m.error_page_retry()}
        </a>
      </div>
      <EmergencyNumbers />
      {children}
    </SplitPage>
  );
}
