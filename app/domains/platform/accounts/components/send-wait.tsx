import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { Countdown, Seconds } from "#app/ui/states.tsx";

/** The seconds a refused form asks its visitor to wait; 0 when it does not. */
export const waitSecondsOf = (detail: unknown): number =>
  typeof detail === "object" && detail !== null && "seconds" in detail && typeof detail.seconds === "number" ? detail.seconds : 0;

/**
 * Holds the button of a form back until the wait is over; the same form then goes through (code-limits.server.ts). Counts down
 * in CSS, so it works without scripts. `answer`: each refusal starts the countdown again.
 */
export function SendWait({ wait, answer, children }: { wait: number; answer: unknown; children: ReactNode }) {
  if (wait === 0) return children;
  return (
    <Countdown key={JSON.stringify(answer)} left={wait} className="wait">
      <p className="row">
        <Icon name="hourglass" small />
        <span>
          {m.accounts_send_wait()}{" "}
          <b className="num">
            <Seconds left={wait} /> {m.accounts_seconds()}
          </b>
        </span>
      </p>
      <div className="after">{children}</div>
    </Countdown>
  );
}
