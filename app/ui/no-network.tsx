/** What a press of SOS shows when the server does not answer. */

import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { DIALOG } from "./dialog.tsx";
import { Note } from "./pieces.tsx";

/** `slow`: no answer yet. `none`: the browser has no network. */
export type NetworkState = "slow" | "none";

/** Whether calls work: one of two sentences. Outside React app/server/no-network.js shows the other one. */
export function NetworkNote({ state }: { state: NetworkState }) {
  return (
    <Note tone="warn" icon="triangle-alert" role="status">
      <b data-network="slow" hidden={state !== "slow"}>
        {m.emergency_slow_title()}
      </b>{" "}
      <b data-network="none" hidden={state !== "none"}>
        {m.emergency_offline_title()}
      </b>{" "}
      {m.emergency_offline_text()}
    </Note>
  );
}

/** The dialog of pages with a link to SOS. app/server/no-network.js opens it, and opens SOS when the server answers. */
export function NoNetworkDialog() {
  return (
    <dialog id="no-network" className={classes(DIALOG, "backdrop:bg-scrim")} aria-labelledby="no-network-title">
      <div className="space-y-4">
        <h2 id="no-network-title">{m.emergency_title()}</h2>
        <LinkButton to="tel:108" variant="sos" size="lg" full icon="ambulance">
          {m.emergency_dialog_108()}
        </LinkButton>
        <LinkButton to="tel:112" variant="danger" size="lg" full icon="phone">
          {m.emergency_dialog_112()}
        </LinkButton>
        <NetworkNote state="slow" />
        <form method="dialog">
          <Button type="submit" variant="quiet" full>
            {m.ui_close()}
          </Button>
        </form>
      </div>
    </dialog>
  );
}
