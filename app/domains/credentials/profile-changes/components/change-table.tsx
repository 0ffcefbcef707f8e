import type { ChangeParts, ReviewedField } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";
import { DataTable, Scroll } from "#app/ui/staff/table.tsx";
import { fieldWord, partsOf } from "../profile-words.ts";

export type Compared = { field: ReviewedField; before: ChangeParts; after: ChangeParts };

/** Languages of values that are not in the language of the page. */
const LANGUAGE_OF: Record<string, string> = { nameInTelugu: "te", nameInHindi: "hi" };

/** Old and new values by part. Differences are bold. */
export function ChangeTable({ change, old }: { change: Compared; old: string }) {
  const parts = partsOf(change.field, change.before, change.after);
  return (
    <Scroll label={fieldWord(change.field)}>
      <DataTable className="my-2">
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
              <td lang={before ? LANGUAGE_OF[part] : undefined}>
                {before || <span className="text-ink-soft">{m.profile_not_given()}</span>}
              </td>
              <td lang={after ? LANGUAGE_OF[part] : undefined}>
                {changed && after ? (
                  <b>{part === "accountLast4" && before === after ? m.profile_account_changed({ number: after }) : after}</b>
                ) : (
                  after || <span className="text-ink-soft">{m.profile_not_given()}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </Scroll>
  );
}
