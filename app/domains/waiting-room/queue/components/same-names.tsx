import { m } from "#app/paraglide/messages.js";
import type { SameName } from "../queue-view.ts";

/** Asks which of several patients of one name on one phone is here: one of them, or a further one, for example a twin. */
export const SameNames = ({ same }: { same: SameName[] }) => (
  <fieldset className="mt-4 mb-3">
    <legend>{m.queue_who()}</legend>
    <div className="grid gap-2.5 *:min-w-0">
      {same.map(({ name, number }) => (
        <label key={name} className="pick">
          <input type="radio" name="who" value={`${name}||`} required />
          <span>{number === null ? name : m.queue_same_token({ name, number })}</span>
        </label>
      ))}
      <label className="pick">
        <input type="radio" name="who" value="twin" required />
        <span>{m.queue_twin()}</span>
      </label>
    </div>
  </fieldset>
);
