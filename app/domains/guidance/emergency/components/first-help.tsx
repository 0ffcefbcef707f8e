import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { scriptOf } from "../../assistant/script.ts";

/** The emergency numbers, before everything else. `wrote`: the message that led here, above them. `children`: below them. */
export function Numbers({ wrote, children }: { wrote: string | null; children?: ReactNode }) {
  return (
    <section className="calls" aria-label={m.emergency_call_now()}>
      {wrote && (
        <p className="tip" lang={scriptOf(wrote) ?? undefined}>
          {m.emergency_wrote({ text: wrote })}
        </p>
      )}
      <a className="call first" href="tel:108">
        <Icon name="ambulance" />
        <span>
          <b>108</b>
          {m.emergency_108()}
        </span>
      </a>
      <a className="call" href="tel:112">
        <Icon name="phone" />
        <span>
          <b>112</b>
          {m.emergency_112()}
        </span>
      </a>
      {children ?? <p className="small soft tip">{m.emergency_no_internet()}</p>}
    </section>
  );
}

/** What to do until help arrives. */
export function WhileWaiting() {
  return (
    <section aria-labelledby="wait">
      <h2 id="wait">{m.emergency_wait_title()}</h2>
      <ol className="flow">
        {[
          m.emergency_wait_say(),
          m.emergency_wait_stay(),
          m.emergency_wait_breathe(),
          m.emergency_wait_press(),
          m.emergency_wait_bleed(),
          m.emergency_wait_nothing(),
        ].map((step, i) => (
          <li key={step}>
            <span className="n">{i + 1}</span>
            <p className="grow">{step}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
