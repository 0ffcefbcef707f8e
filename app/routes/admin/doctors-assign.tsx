import { href } from "react-router";
import { AssignSchema } from "#app/domains/credentials/cases/assign-case.schema.ts";
import { type AssignGroup, assignCases, listToAssign } from "#app/domains/credentials/cases/assign-case.server.ts";
import { assigneeWord } from "#app/domains/credentials/cases/waiting-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/doctors-assign.ts";

const WAITING_LIST = `${href("/admin/doctors")}?status=${encodeURIComponent("under review by hospital")}`;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const chosen = new URL(request.url).searchParams.getAll("case");
  return { chosen: chosen.length, groups: chosen.length ? await listToAssign(ctx, chosen) : [] };
});

export const action = submitOwn(AssignSchema, async (ctx, input) => {
  const { done, skipped } = await assignCases(ctx, input);
  return redirectWithToast(
    WAITING_LIST,
    [m.admin_assign_done({ count: String(done) }), ...(skipped ? [m.cases_assign_skipped({ count: String(skipped) })] : [])].join(" "),
    { stays: skipped > 0 },
  );
});

/** Assigns the chosen applications: one reviewer for those of each hospital. */
export default function AdminAssign({ loaderData: { chosen, groups }, actionData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "assign", lastResult: actionData?.result });
  const back = { to: WAITING_LIST, label: m.admin_back_to_doctors() };
  const cases = groups.flatMap((group) => group.cases);
  return (
    <Page title={m.admin_assign_title()} back={back}>
      {!chosen ? (
        <Note tone="warn">{m.cases_assign_none_chosen()}</Note>
      ) : (
        <Form form={form}>
          <p className="text-ink-soft mb-3">{m.admin_assign_text()}</p>
          {cases.map((one, i) => (
            <span key={one.id}>
              <input type="hidden" name={`cases[${i}].id`} value={one.id} />
              <input type="hidden" name={`cases[${i}].from`} value={one.assignedTo ?? ""} />
            </span>
          ))}
          {groups.map((group, i) => (
            <Group key={group.hospital.id} group={group} name={`reviewers[${i}]`} />
          ))}
          {groups.some(({ reviewers }) => reviewers.length > 0) && (
            <SubmitButton full pendingText={m.admin_assign_saving()}>
              {m.admin_assign_save()}
            </SubmitButton>
          )}
        </Form>
      )}
    </Page>
  );
}

function Group({ group: { hospital, cases, reviewers }, name }: { group: AssignGroup; name: string }) {
  const now = cases.every(({ assignedTo }) => assignedTo === cases[0]?.assignedTo) ? cases[0]?.assignedTo : null;
  return (
    <section className="card mb-3" aria-labelledby={`h-${hospital.id}`}>
      <h2 id={`h-${hospital.id}`}>{hospital.name}</h2>
      <DividedList>
        {cases.map((one) => (
          <li key={one.id}>
            <AnyLink to={href("/admin/doctors/:id", { id: one.id })}>{one.name || m.cases_unnamed()}</AnyLink>
            <p className="text-sm text-ink-soft">{assigneeWord(one, undefined)}</p>
          </li>
        ))}
      </DividedList>
      {reviewers.length ? (
        <p className="field full mt-4">
          <input type="hidden" name={`${name}.hospital`} value={hospital.id} />
          <label className="label" htmlFor={`to-${hospital.id}`}>
            {m.admin_assign_reviewer()}
          </label>
          <select className="input" id={`to-${hospital.id}`} name={`${name}.user`} defaultValue={now ?? reviewers[0]?.id}>
            {reviewers.map((reviewer) => (
              <option key={reviewer.id} value={reviewer.id}>
                {reviewer.name}
              </option>
            ))}
            <option value="">{m.admin_assign_nobody()}</option>
          </select>
        </p>
      ) : (
        <Note tone="warn" className="mt-4">
          <p>{m.admin_assign_no_reviewers()}</p>
          <p>
            <AnyLink to={href("/admin/hospitals/:id", { id: hospital.id })}>{m.admin_hospital_open()}</AnyLink>
          </p>
        </Note>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_assign_title() }) }];
