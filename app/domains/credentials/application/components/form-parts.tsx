import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

const PARTS = [
  { n: 1, word: () => m.application_group_you() },
  { n: 2, word: () => m.application_group_work() },
  { n: 3, word: () => m.application_group_training() },
  { n: 4, word: () => m.application_group_proof() },
] as const;

/** Navigation of the four parts of the professional details on a phone. `complete`: the numbers of valid parts. */
export function PartsNav({ complete }: { complete: number[] }) {
  return (
    <nav className="desktop:hidden" aria-label={m.application_parts()}>
      <ol className="grid grid-cols-2 gap-2">
        {PARTS.map(({ n, word }) => (
          <li key={n}>
            <a
              className="flex min-h-target w-full items-center gap-2 rounded-md border border-line bg-card px-2.5 py-1 text-sm leading-control"
              href={`#part-${n}`}
            >
              <b className="num grid size-6 flex-none place-items-center rounded-full bg-brand-soft text-brand-strong">
                {complete.includes(n) ? <Icon name="check" small /> : n}
              </b>{" "}
              <span>{word()}</span>
              {complete.includes(n) && <span className="sr-only"> {m.application_group_complete()}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** One of the four parts. On a phone it ends with a button that stores the form, validates this part and opens the next. */
export function FormPart({ n, children }: { n: 1 | 2 | 3 | 4; children: ReactNode }) {
  return (
    <section
      className="max-tab:mt-6 max-tab:border-t-4 max-tab:border-brand-soft max-tab:pt-5 max-tab:[&>:nth-child(2)]:mt-2 max-tab:[&>:nth-child(2)]:border-t-0 max-tab:[&>:nth-child(2)]:pt-0"
      id={`part-${n}`}
      aria-label={`${m.application_part_of({ n })}: ${PARTS[n - 1]?.word()}`}
    >
      <p className="text-sm text-ink-soft desktop:hidden">{m.application_part_of({ n })}</p>
      {children}
      {n < 4 && (
        <p className="desktop:hidden max-tab:mt-5">
          <SubmitButton name="intent" value={`part-${n}`} variant="second" full iconEnd="arrow-right">
            {m.application_part_save({ n: n + 1 })}
          </SubmitButton>
        </p>
      )}
    </section>
  );
}
