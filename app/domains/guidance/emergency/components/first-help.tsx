import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { classes } from "#app/ui/class-names.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { scriptOf } from "../../assistant/script.ts";
import { Flow, FlowItem } from "./flow.tsx";

/**
 * The emergency numbers, before everything else. `compact`: side by side on a phone, when a run needs the room. `wrote`: the message
 * that led here, above them. `children`: below them.
 */
export function Numbers({ wrote, compact, children }: { wrote: string | null; compact?: boolean; children?: ReactNode }) {
  return (
    <section
      className={compact ? "grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5em),1fr))] gap-3 desktop:grid-cols-1" : "space-y-3"}
      aria-label={m.emergency_call_now()}
    >
      {wrote && (
        <p className="col-span-full" lang={scriptOf(wrote) ?? undefined}>
          {m.emergency_wrote({ text: wrote })}
        </p>
      )}
      <Call number="108" icon="ambulance" compact={compact} className="bg-sos text-on-sos">
        {m.emergency_108()}
      </Call>
      <Call number="112" icon="phone" compact={compact} className="bg-card text-sos-strong">
        {m.emergency_112()}
      </Call>
      {children ?? <p className="col-span-full text-sm text-ink-soft">{m.emergency_no_internet()}</p>}
    </section>
  );
}

type CallProps = { number: string; icon: IconName; compact: boolean | undefined; className: string; children: ReactNode };

/** Calls a number: as large as the page allows. */
function Call({ number, icon, compact, className, children }: CallProps) {
  return (
    <a
      className={classes(
        "flex min-h-26 items-center gap-4 rounded-xl border-3 border-sos py-3 leading-tight no-underline desktop:min-h-38 max-narrow:flex-wrap max-narrow:gap-2 max-narrow:p-3",
        compact ? "px-3.5" : "px-5 desktop:px-8",
        className,
      )}
      href={`tel:${number}`}
    >
      <Icon name={icon} className={classes("size-11", compact && "hidden desktop:block")} />
      <span className={classes("min-w-0 wrap-anywhere", compact && "text-sm leading-tight desktop:text-base")}>
        <b className="block text-[3rem] leading-none tracking-[-0.02em] num desktop:text-[4.5rem]">{number}</b>
        {children}
      </span>
    </a>
  );
}

/** The page of an emergency: the numbers beside the rest on wide screens. */
export const SOS_COLUMNS = "pb-8 desktop:grid desktop:grid-cols-2 desktop:items-start desktop:gap-16 desktop:pt-10";

/** What to do until help arrives. */
export function WhileWaiting() {
  return (
    <section className="mt-8" aria-labelledby="wait">
      <h2 id="wait">{m.emergency_wait_title()}</h2>
      <Flow>
        {[
          m.emergency_wait_say(),
          m.emergency_wait_stay(),
          m.emergency_wait_breathe(),
          m.emergency_wait_press(),
          m.emergency_wait_bleed(),
          m.emergency_wait_nothing(),
        ].map((step, i) => (
          <FlowItem key={step} number={i + 1}>
            {step}
          </FlowItem>
        ))}
      </Flow>
    </section>
  );
}
