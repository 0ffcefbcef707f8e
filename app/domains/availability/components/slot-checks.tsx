import { type MouseEvent, useRef, useState } from "react";
import { formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { type Field, FieldError } from "#app/ui/form.tsx";
import { partOfDay, SLOT_TIMES } from "../slots.ts";

const PARTS = [
  { part: "morning", word: () => m.ui_morning() },
  { part: "afternoon", word: () => m.ui_afternoon() },
  { part: "evening", word: () => m.ui_evening() },
] as const;

/**
 * The eighteen half hours of a day as boxes to tick. Select All and Deselect All are links that load the page with all or
 * none ticked; with JavaScript they tick in place. `chosen`: ticked before anything was typed. `booked` ones cannot be taken away and say so.
 */
export function SlotChecks({
  field,
  chosen: offered,
  booked = [],
  address,
}: {
  field: Field;
  chosen: string[];
  booked?: string[];
  address: (select: "all" | "none") => string;
}) {
  // What was typed, when the form came back; Conform gives one ticked box as a plain string.
  const typed = field.initialValue;
  const chosen = Array.isArray(typed) ? typed.map(String) : typeof typed === "string" ? [typed] : offered;
  const box = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(chosen.length);
  const all = count === SLOT_TIMES.length;
  const boxes = () => [...(box.current?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [])];
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    for (const input of boxes()) input.checked = !all || input.dataset.booked === "true";
    setCount(boxes().filter((input) => input.checked).length);
  };
  return (
    <fieldset className="field" id={field.id} tabIndex={-1} aria-describedby={field.errors ? field.errorId : undefined}>
      <legend className="row wrap between">
        <span>{m.availability_slots()}</span>
      </legend>
      <p className="row wrap mb">
        <LinkButton to={address(all ? "none" : "all")} variant="second" size="sm" onClick={toggle} replace preventScrollReset>
          {all ? m.availability_deselect_all() : m.availability_select_all()}
        </LinkButton>
        <span className="soft small" role="status">
          {m.availability_selected({ count })}
        </span>
      </p>
      <div ref={box} onChange={() => setCount(boxes().filter((input) => input.checked).length)}>
        {PARTS.map(({ part, word }) => (
          <fieldset key={part} className="part">
            <legend>{word()}</legend>
            <div className="slots">
              {SLOT_TIMES.filter((time) => partOfDay(time) === part).map((time) => {
                const taken = booked.includes(time);
                return (
                  <label key={time} className="slot">
                    <input
                      type="checkbox"
                      name={field.name}
                      value={time}
                      defaultChecked={chosen.includes(time)}
                      data-booked={taken || undefined}
                    />
                    <span>
                      <span>{formatTime(time)}</span> {taken && <small>{m.ui_slot_booked()}</small>}
                    </span>
                  </label>
                );
              })}
            </div>
          </fieldset>
        ))}
      </div>
      <FieldError field={field} />
    </fieldset>
  );
}
