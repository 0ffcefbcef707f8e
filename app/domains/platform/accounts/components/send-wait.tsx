import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { Countdown, Seconds } from "#app/ui/states.tsx";

/** Returns the seconds to wait in the `detail` of an error; 0 for none. */
export const waitSecondsOf = (detail: unknown): number =>
  typeof detail === "object" && detail !== null && "seconds" in detail && typeof detail.seconds === "number" ? detail.seconds : 0;

/**
 * Disables the button of a form until the wait is over. The same form then succeeds (code-limits.server.ts). Counts down in CSS,
 * without JavaScript. `answer`: each new value restarts the countdown.
 */
export function SendWait({ wait, answer, children }: { wait: number; answer: unknown; children: ReactNode }) {
  if (wait === 0) return children;
  return (
    <Countdown key={JSON.stringify(answer)} left={wait} over={m.accounts_send_open()} className="mt-5">
      <p className="row">
        <Icon name="hourglass" small />
        <span>
          {m.accounts_send_wait()}{" "}
          <b className="num">
            <Seconds left={wait} /> {m.accounts_seconds()}
          </b>
        </span>
      </p>
      <div className="animate-after">{children}</div>
    </Countdown>
  );
}
