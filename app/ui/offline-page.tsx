import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { EmergencyNumbers } from "./error-page.tsx";
import { Icon } from "./icon.tsx";
import { SplitPage } from "./shell.tsx";

/**
 * What a browser keeps for when there is no network (public/sw.js): 108 and 112, and in `children` what was known last. It
 * stands in for any address, so its way on is that address again.
 */
export function OfflinePage({ children }: { children?: ReactNode }) {
  return (
    <SplitPage drawing="help" tagline={m.common_tagline()} lean languages={false}>
      <h1>{m.ui_offline_title()}</h1>
      <p className="soft mt">{m.ui_offline_text()}</p>
      <div className="decide">
        {/* biome-ignore lint/a11y/useValidAnchor: the empty address is the one in the browser's bar, with its query */}
        <a className="btn lg full" href="">
          <Icon name="refresh-cw" />
          {m.error_page_retry()}
        </a>
      </div>
      <EmergencyNumbers />
      {children}
    </SplitPage>
  );
}
