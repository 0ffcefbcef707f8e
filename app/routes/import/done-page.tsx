/** Step 4 of an import: a running job, then what happened and the undo. */
import type { ReactNode } from "react";
import { isWorking } from "#app/domains/clinic/imports/import.state.ts";
import { stopWord } from "#app/domains/clinic/imports/words.ts";
import { formatDayOfMonth, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { formatCount, type ShownCount, shownCount } from "#app/lib/numbers.ts";
import type { ImportState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton } from "#app/ui/form.tsx";
import { Amounts } from "#app/ui/members/amounts.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { AGAIN, Frame, type ImportData, type StepProps } from "./import-parts.tsx";

/** For the route of an import: without scripts the page of a running job loads again. */
export const refreshRunning = (data: unknown): string | null =>
  isWorking((data as { state?: ImportState } | null)?.state ?? "done") ? String(AGAIN) : null;

export function Running({ data, base, here }: StepProps) {
  useReloadAt(AGAIN, data);
  const { state, done, ready, rowCount, outcomes } = data;
  const all = state === "importing" ? rowCount : state === "undoing" ? outcomes.added + outcomes.removed + outcomes.stays : rowCount;
  const title =
    state === "checking"
      ? m.import_checking({ count: formatCount(rowCount) })
      : state === "importing"
        ? m.import_importing({ done: formatCount(Math.min(done, all)), count: formatCount(all) })
        : m.import_undoing({ done: formatCount(done) });
  return (
    <Frame kind={data.kind} name={data.name} back={base} step={state === "checking" ? 2 : 3}>
      <section className="card space-y-3" aria-live="polite">
        <h2>{title}</h2>
        {state !== "checking" && (
          <progress className="h-2 w-full accent-brand" max={Math.max(1, all, ready)} value={Math.min(done, all)} aria-label={title} />
        )}
        <p>{m.import_running_text()}</p>
        <LinkButton to={here} variant="second" full reloadDocument>
          {m.import_check_again()}
        </LinkButton>
      </section>
    </Frame>
  );
}

export function Done({ data, form, base, here }: StepProps) {
  const { kind, state, undoUntil, canUndo, confirmsUndo, used } = data;
  return (
    <Frame kind={data.kind} name={data.name} back={base} step={3}>
      <div className="space-y-5 pb-16">
        <Outcome {...data} />
        <Happened data={data} here={here} />
        <p className="row flex-wrap">
          <LinkButton to={data.paths.register} icon="user-round">
            {m.import_see_patients()}
          </LinkButton>
          <LinkButton to={`${base}?kind=appointments`} variant="second">
            {kind === "patients" ? m.import_import_appointments() : m.import_import_another()}
          </LinkButton>
        </p>
        {(state === "done" || state === "stopped") && canUndo && undoUntil && (
          <section className="card space-y-3" aria-labelledby="h-wrong">
            <h2 id="h-wrong">{confirmsUndo ? m.import_undo_confirm_title() : m.import_wrong()}</h2>
            <p>
              {m.import_undo_text()} {used ? m.import_undo_used(shownCount(used)) : null}
            </p>
            <Form form={form}>
              <SubmitButton variant="danger" full name="intent" value="undo">
                {m.import_undo({ date: formatDayOfMonth(todayInIndia(undoUntil)) })}
              </SubmitButton>
            </Form>
          </section>
        )}
      </div>
    </Frame>
  );
}

function Outcome({ kind, state, outcomes, finishedAt, undoneAt, fault }: ImportData) {
  const doneWord = (of: ShownCount) => (kind === "patients" ? m.import_done_patients(of) : m.import_done_appointments(of));
  return (
    <>
      {state === "done" && finishedAt && (
        <Note tone="ok" icon="circle-check">
          <h2>{doneWord(shownCount(outcomes.added))}</h2>
          <p>{m.import_done_text({ at: formatInstant(finishedAt) })}</p>
        </Note>
      )}
      {state === "undone" && undoneAt && (
        <Note tone="ok" icon="circle-check">
          <h2>{m.import_undone_title()}</h2>
          <p>{m.import_undone_text({ at: formatInstant(undoneAt) })}</p>
        </Note>
      )}
      {state === "stopped" && (
        <Note tone="bad" icon="circle-alert">
          <h2>{m.import_stopped_title()}</h2>
          <p>{stopWord(fault)}</p>
        </Note>
      )}
    </>
  );
}

function Happened({ data: { outcomes, rowCount }, here }: Pick<StepProps, "data" | "here">) {
  const csv = (query: string) => (
    <>
      {" "}
      <AnyLink to={`${here}/rows.csv?${query}`}>CSV</AnyLink>
    </>
  );
  const counted = (label: ReactNode, count: number): [ReactNode, ReactNode] | null => (count ? [label, formatCount(count)] : null);
  return (
    <section className="card" aria-labelledby="h-happened">
      <h2 id="h-happened">{m.import_happened(shownCount(rowCount))}</h2>
      <Amounts
        className="mt-3"
        items={[
          counted(m.import_sum_added(), outcomes.added - outcomes.merged - outcomes.moved),
          counted(m.import_sum_merged(), outcomes.merged),
          counted(
            <>
              {m.import_sum_moved()}
              {csv("outcome=moved")}
            </>,
            outcomes.moved,
          ),
          counted(m.import_sum_here(), outcomes.here),
          counted(m.import_sum_removed(), outcomes.removed),
          counted(
            <>
              {m.import_sum_stays()}
              {csv("outcome=stays")}
            </>,
            outcomes.stays,
          ),
          counted(
            <>
              {m.import_sum_undecided()}
              {csv("group=decision&outcome=left-out&decision=none")}
            </>,
            outcomes.undecided,
          ),
          counted(m.import_sum_left_out(), outcomes.leftOut),
          counted(
            <>
              {m.import_sum_unreadable()}
              {csv("group=unreadable")}
            </>,
            outcomes.unreadable,
          ),
          [m.import_sum_all(), formatCount(rowCount)],
        ]}
      />
    </section>
  );
}
