/** The queue of a session: how good the estimate is in a simulated clinic (app/domains/waiting-room/estimate). */
import type { Proof } from "./proof.ts";
import { simulate } from "./queue/simulate.ts";

const SEEDS = [1, 2, 3, 4, 5];
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const proof: Proof = {
  title:
    "A simulated clinic: 30 patients a session, visits of 8 minutes on average (log-normal, σ 0.5), a start 0 to 60 minutes late, 20 % no-shows, 5 % emergencies. Estimates are those at arrival; their error is measured from the lower figure.",
  async run({ short, report }) {
    const days = short ? 100 : 1_000;
    for (const seed of SEEDS) {
      const { waits, byLow, byHigh, medianError, meanWait } = simulate({ days, seed });
      const of = `${days} days, seed ${seed}`;
      report({ what: `${of}: waits`, value: `${waits}, ${meanWait.toFixed(1)} min on average`, detail: true });
      report({ what: `${of}: by the upper figure`, value: percent(byHigh), target: "75 to 85 %", met: byHigh >= 0.75 && byHigh <= 0.85 });
      report({ what: `${of}: by the lower figure`, value: percent(byLow), target: "45 to 55 %", met: byLow >= 0.45 && byLow <= 0.55 });
      report({ what: `${of}: median error`, value: `${medianError.toFixed(1)} min`, target: "≤ 8 min", met: medianError <= 8 });
    }
  },
};
export default proof;
