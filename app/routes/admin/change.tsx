import { href } from "react-router";
import { ageWords } from "#app/domains/credentials/cases/age.ts";
import { getChange } from "#app/domains/credentials/profile-changes/change-queries.server.ts";
import { ChangeBadge } from "#app/domains/credentials/profile-changes/components/change-badge.tsx";
import { ChangeTable } from "#app/domains/credentials/profile-changes/components/change-table.tsx";
import { decideChange } from "#app/domains/credentials/profile-changes/decide-change.server.ts";
import { DecideChangeSchema } from "#app/domains/credentials/profile-changes/profile.schema.ts";
import { changeStatusWord, fieldWord } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/change.ts";

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  return { now: ctx.now, change: await getChange(ctx, params.id), unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(DecideChangeSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const { field, doctor } = await decideChange(ctx, { id: params.id, ...input });
  const about = { field: fieldWord(field), doctor };
  return redirectWithToast(
    href("/admin/changes"),
    input.intent === "approve" ? m.profile_change_done_approved(about) : m.profile_change_done_refused(about),
  );
});

type Data = Route.ComponentProps["loaderData"];

export default function Change({ loaderData, actionData }: Route.ComponentProps) {
  const { change, now, unsent } = loaderData;
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "decide", lastResult: actionData?.result ?? unsent });
  const open = change.status === "pending";
  return (
    <Page title={m.profile_changes_title()} titleAs="p" back={{ to: href("/admin/changes"), label: m.profile_changes_back() }}>
      <h1>{m.profile_change_of({ field: fieldWord(change.field), doctor: change.doctor })}</h1>
      <MetaLine className="mb-3">
        {open && <Meta icon="clock">{m.cases_waiting_for({ age: ageWords(now.getTime() - change.createdAt.getTime()) })}</Meta>}
        <Meta icon="calendar-days">{m.profile_waiting_since({ at: formatInstant(change.createdAt) })}</Meta>{" "}
        {change.isDemo && <Badge>{m.ui_demo()}</Badge>}
      </MetaLine>
      <section className="card">
        <ChangeTable change={change} old={m.profile_change_old()} />
        <Links change={change} />
      </section>
      {open ? (
        <Form form={form} className="mt-7">
          <p className="text-ink-soft mb-3">{m.profile_change_keeps()}</p>
          <TextArea
            field={fields.reason}
            label={m.profile_change_reason()}
            hint={m.profile_change_reason_hint()}
            optional
            maxLength={500}
          />
          <div className="mt-4 grid gap-2.5">
            <SubmitButton name="intent" value="approve" full icon="check" pendingText={m.profile_change_approving()}>
              {m.profile_change_approve()}
            </SubmitButton>
            <SubmitButton name="intent" value="refuse" variant="danger" full icon="x" pendingText={m.profile_change_refusing()}>
              {m.profile_change_refuse()}
            </SubmitButton>
          </div>
        </Form>
      ) : (
        <section className="mt-7">
          <ErrorSummary form={form} />
          <p>
            <ChangeBadge status={change.status} />
          </p>
          {change.decidedAt && change.decidedBy !== null && (
            <p className="text-ink-soft mt-2">
              {m.profile_change_by({
                status: changeStatusWord(change.status),
                name: change.decidedBy,
                at: formatInstant(change.decidedAt),
              })}
            </p>
          )}
          {change.reason && <p className="mt-2 whitespace-pre-line">{m.profile_refused_reason({ reason: change.reason })}</p>}
        </section>
      )}
    </Page>
  );
}

function Links({ change }: Pick<Data, "change">) {
  const open = change.status === "pending";
  return (
    <ul className="space-y-1 mt-2">
      {open && change.after.accountChanged === "yes" && (
        <li>
          <AnyLink to={href("/admin/changes/:id/reveal", { id: change.id })}>{m.profile_change_reveal()}</AnyLink>
        </li>
      )}
      {open && change.field === "bank" && change.hasAccount && (
        <li>
          <AnyLink to={href("/admin/doctors/:id/reveal/:number", { id: change.doctorId, number: "account" })}>
            {m.profile_change_reveal_old()}
          </AnyLink>
        </li>
      )}
      {open && change.field === "hospital" && change.after.hospitalId && (
        <li>
          <AnyLink to={href("/admin/hospitals/:id", { id: change.after.hospitalId })}>{m.admin_hospital_open()}</AnyLink>
        </li>
      )}
      <li>
        <AnyLink to={href("/admin/doctors/:id", { id: change.doctorId })}>{m.profile_change_case()}</AnyLink>
      </li>
    </ul>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.profile_changes_title() }) }];
