import type { ChangeParts, ReviewedField } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";
import { partsOf } from "../profile-words.ts";

export type Compared = { field: ReviewedField; before: ChangeParts; after: ChangeParts };

/** Old and new values by part. Differences are bold. */
export function ChangeTable({ change, old }: { change: Compared; old: string }) {
  const parts = partsOf(change.field, change.before, change.after);
  return (
    <div className="scroll">
      <table className="table">
        <thead>
          <tr>
            <td />
            <th scope="col">{old}</th>
            <th scope="col">{m.profile_new()}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, label, before, after, changed }) => (
            <tr key={part}>
              <th scope="row">{label}</th>
              <td>{before || <span className="soft">{m.profile_not_given()}</span>}</td>
              <td>
                {changed ? (
                  <b>{part === "accountLast4" && before === after ? m.profile_account_changed({ number: after }) : after}</b>
                ) : (
                  after
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
