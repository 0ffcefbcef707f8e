import { href } from "react-router";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { fieldWord } from "../profile-words.ts";
import { ChangeTable, type Compared } from "./change-table.tsx";

type OwnChange = Compared & { id: string; status: string; reason: string | null; createdAt: Date };

/**
 * The doctor's waiting changes, which can be withdrawn, and rejected ones with the reason. `brief`: only that, next to the form.
 */
export function OwnChanges({ changes, brief = false }: { changes: OwnChange[]; brief?: boolean }) {
  if (!changes.length) return null;
  return (
    <div className="space-y-4 mb-3" id="changes">
      {changes.map((change) =>
        change.status === "pending" ? (
          <Waiting key={change.id} change={change} brief={brief} />
        ) : (
          <Refused key={change.id} change={change} brief={brief} />
        ),
      )}
    </div>
  );
}

function Waiting({ change, brief }: { change: OwnChange; brief: boolean }) {
  const [form] = useNadiForm({ id: `withdraw-${change.id}` });
  const field = fieldWord(change.field);
  if (brief)
    return (
      <Note tone="warn" icon="hourglass">
        {m.profile_waiting({ field })}{" "}
        <AnyLink className="text-ink" to={`${href("/doctor/profile-view")}#changes`}>
          {m.profile_waiting_look()}
        </AnyLink>
      </Note>
    );
  return (
    <Note tone="warn" icon="hourglass">
      <p>{m.profile_waiting({ field })}</p>
      <ChangeTable change={change} old={m.profile_old()} />
      <Form form={form} action={href("/doctor/profile/withdraw")} className="row flex-wrap">
        <input type="hidden" name="intent" value="withdraw" />
        <input type="hidden" name="change" value={change.id} />
        <p className="text-sm text-ink-soft grow">{m.profile_waiting_since({ at: formatInstant(change.createdAt) })}</p>
        <SubmitButton variant="second" size="sm" aria-label={m.profile_withdraw_of({ field })} pendingText={m.profile_withdrawing()}>
          {m.profile_withdraw()}
        </SubmitButton>
      </Form>
    </Note>
  );
}

function Refused({ change, brief }: { change: OwnChange; brief: boolean }) {
  return (
    <Note tone="bad" icon="circle-x">
      <p>{m.profile_refused({ field: fieldWord(change.field) })}</p>
      {change.reason && <p className="whitespace-pre-line">{m.profile_refused_reason({ reason: change.reason })}</p>}
      {!brief && <ChangeTable change={change} old={m.profile_old()} />}
    </Note>
  );
}
