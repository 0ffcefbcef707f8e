import { m } from "#app/paraglide/messages.js";
import { Pick } from "#app/ui/members/pick.tsx";
import type { SameName } from "../queue-view.ts";

/** Asks which of several patients of one name on one phone is here: one of them, or a further one, for example a twin. */
export const SameNames = ({ same }: { same: SameName[] }) => (
  <fieldset className="mt-4 mb-3">
    <legend>{m.queue_who()}</legend>
    <div className="grid gap-2.5 *:min-w-0">
      {same.map(({ name, number }) => (
        <Pick key={name} type="radio" name="who" value={`${name}||`} required>
          {number === null ? name : m.queue_same_token({ name, number })}
        </Pick>
      ))}
      <Pick type="radio" name="who" value="twin" required>
        {m.queue_twin()}
      </Pick>
    </div>
  </fieldset>
);
