import { href } from "react-router";
import { VisitRow } from "#app/domains/booking/appointments/components/visit-row.tsx";
import { SuspendedVisitsSchema } from "#app/domains/booking/appointments/suspended-visits.schema.ts";
import {
  askToChooseAgain,
  cancelSuspendedVisits,
  listSuspendedVisits,
  type VisitsChanged,
} from "#app/domains/booking/appointments/suspended-visits.server.ts";
import { getCaseHead } from "#app/domains/credentials/cases/case-queries.server.ts";
import { VISIT_REASONS, visitReasonWord } from "#app/domains/visit-reasons.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { Checkbox, FieldError, Form, RadioPicks, SubmitButton, TextArea } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { validateWith } from "#app/ui/validate.ts";
import type { Route } from "./+types/doctor-visits.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, name, status } = await getCaseHead(ctx, params.id);
  const suspended = status === "suspended";
  return { id, name, suspended, coming: suspended ? await listSuspendedVisits(ctx, id) : null };
});

export const action = submitOwn(SuspendedVisitsSchema, async (ctx, { intent, ...input }, { params }: Route.ActionArgs) => {
  const change = intent === "cancel" ? cancelSuspendedVisits : askToChooseAgain;
  const result = await change(ctx, { ...input, doctorId: params.id });
  return redirectWithToast(`${href("/admin/doctors/:id", { id: params.id })}${result.left ? "/visits" : ""}`, resultWords(intent, result), {
    stays: true,
  });
});

/** "Visits cancelled: 3. Already changed or asked: 1." */
function resultWords(intent: "cancel" | "choose-again", { changed, skipped, left }: VisitsChanged): string {
  const count = String(changed);
  return [
    intent === "cancel" ? m.admin_visits_cancelled({ count }) : m.admin_visits_asked_done({ count }),
    ...(skipped ? [m.admin_visits_skipped({ count: String(skipped) })] : []),
    ...(left ? [m.admin_visits_left({ count: String(left) })] : []),
  ].join(" ");
}

const check = validateWith(SuspendedVisitsSchema);
type Input = { all: boolean; visits: string[]; reason: string; note: string };

export default function DoctorVisits({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, suspended, coming } = loaderData;
  const [form, fields] = useCheckedForm<Input>({ id: "visits", lastResult: actionData?.result ?? null, correct: check });
  const { visits } = fields;
  const sent = [visits.initialValue ?? []].flat() as string[];
  const back = href("/admin/doctors/:id", { id });
  return (
    <Page title={m.admin_visits_title({ doctor: name })} back={{ to: back, label: m.cases_reveal_back() }}>
      {!coming?.total ? (
        <>
          <Note tone={suspended ? "info" : "warn"}>
            {suspended ? m.admin_coming_none() : m.admin_visits_not_suspended({ doctor: name })}
          </Note>
          <p className="mt-4">
            <LinkButton to={back} variant="second">
              {m.cases_reveal_back()}
            </LinkButton>
          </p>
        </>
      ) : (
        <Form form={form} className="card">
          <p className="text-ink-soft">{m.admin_visits_text()}</p>
          <fieldset className="field mt-4" id={visits.id} tabIndex={-1} aria-describedby={visits.errors ? visits.errorId : undefined}>
            <legend>{m.admin_visits_which()}</legend>
            {coming.total > 1 && <Checkbox field={fields.all} label={<b>{m.admin_visits_all({ count: String(coming.total) })}</b>} />}
            <DividedList>
              {coming.rows.map((visit) => (
                <VisitRow key={visit.id} visit={visit} choose={visits.name} chosen={sent.includes(visit.id) || coming.total === 1} />
              ))}
            </DividedList>
            {coming.total > coming.rows.length && (
              <p className="text-sm text-ink-soft">{m.admin_coming_more({ count: String(coming.total) })}</p>
            )}
            <FieldError field={visits} />
          </fieldset>
          <RadioPicks
            field={fields.reason}
            label={m.admin_visits_reason()}
            options={VISIT_REASONS.map((value) => ({ value, label: visitReasonWord(value) }))}
          />
          <TextArea field={fields.note} label={m.admin_visits_note()} hint={m.admin_visits_note_hint()} optional maxLength={300} />
          <div className="space-y-4 mt-7">
            <div>
              <SubmitButton name="intent" value="choose-again" full pendingText={m.admin_visits_sending()}>
                {m.admin_visits_ask()}
              </SubmitButton>
              <p className="text-sm text-ink-soft mt-2">{m.admin_visits_ask_hint()}</p>
            </div>
            <div>
              <SubmitButton name="intent" value="cancel" variant="danger" full pendingText={m.admin_visits_sending()}>
                {m.admin_visits_cancel()}
              </SubmitButton>
              <p className="text-sm text-ink-soft mt-2">{m.admin_visits_cancel_hint()}</p>
            </div>
          </div>
        </Form>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: m.admin_visits_title({ doctor: loaderData?.name ?? "" }) }) },
];
