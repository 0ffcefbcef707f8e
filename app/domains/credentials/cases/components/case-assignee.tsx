import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { assigneeWord } from "../waiting-words.ts";

/** Who takes care of a waiting case, with the reviewer's buttons to take it or give it back. `action`: URL of the page of the assignment. */
export function CaseAssignee({
  file,
  viewerId,
  action,
  result,
}: {
  file: { assignedTo: string | null; assignedName: string | null };
  viewerId: string;
  action: string;
  result?: Parameters<typeof useNadiForm>[0]["lastResult"];
}) {
  const [form] = useNadiForm({ id: "assignee", lastResult: result });
  const mine = file.assignedTo === viewerId;
  return (
    <section className="card mt-4" aria-labelledby="h-assignee">
      <h2 id="h-assignee" className="sr-only">
        {m.cases_assign_title()}
      </h2>
      <Form form={form} action={action} preventScrollReset>
        <input type="hidden" name="from" value={file.assignedTo ?? ""} />
        <div className="row flex-wrap justify-between">
          <div>
            <p>
              <b>{assigneeWord(file, viewerId)}</b>
            </p>
            <p className="text-sm text-ink-soft">{m.cases_assign_text()}</p>
          </div>
          <SubmitButton name="intent" value={mine ? "release" : "take"} variant={mine ? "quiet" : "second"} size="sm">
            {mine ? m.cases_release() : file.assignedTo ? m.cases_take_over() : m.cases_take()}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
