import { type MouseEvent, useRef, useState } from "react";
import { formatTime, partOfDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SlotGrid } from "#app/ui/calendar.tsx";
import { type Field, FieldError } from "#app/ui/form.tsx";
import { SlotPick } from "#app/ui/members/pick.tsx";
import { SLOT_TIMES } from "../slots.ts";

const PARTS = [
  { part: "morning", word: () => m.ui_morning() },
  { part: "afternoon", word: () => m.ui_afternoon() },
  { part: "evening", word: () => m.ui_evening() },
] as const;

type Props = {
  field: Field;
  chosen: string[];
  booked?: string[];
  there?: { time: string; booked: boolean }[];
  address: (select: "all" | "none") => string;
  onTicked?: (count: number) => void;
};

/**
 * The eighteen slots of a day as checkboxes. Select All and Deselect All are links that load the page with all or none checked;
 * with JavaScript they check in place.
 * @param props.chosen initially checked
 * @param props.booked slots that cannot be removed, with a note
 * @param props.there slots that the day has already: shown checked, and not sent
 * @param props.onTicked called with how many boxes are checked, without those that the day has already
 */
export function SlotChecks({ field, chosen, booked = [], there = [], address, onTicked }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const set = new Map(there.map((slot) => [slot.time, slot]));
  const [ticked, setTicked] = useState(postedTimes(field) ?? chosen);
  // Slots that the day has already are not counted.
  const count = ticked.filter((time) => !set.has(time)).length;
  const all = count === SLOT_TIMES.length - set.size;
  const boxes = () => [...(box.current?.querySelectorAll<HTMLInputElement>("input[type=checkbox]:enabled") ?? [])];
  const read = () => {
    const now = boxes().flatMap((input) => (input.checked ? [input.value] : []));
    setTicked(now);
    onTicked?.(now.filter((time) => !set.has(time)).length);
  };
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    for (const input of boxes()) input.checked = !all || input.dataset.booked === "true";
    read();
  };
  return (
    <fieldset className="field" id={field.id} tabIndex={-1} aria-describedby={field.errors ? field.errorId : undefined}>
      <legend className="row flex-wrap justify-between">
        <span>{m.availability_slots()}</span>
      </legend>
      <p className="row flex-wrap mb-3">
        <LinkButton to={address(all ? "none" : "all")} variant="second" size="sm" onClick={toggle} replace preventScrollReset>
          {all ? m.availability_deselect_all() : m.availability_select_all()}
        </LinkButton>
        <span className="text-sm text-ink-soft" role="status">
          {m.availability_selected({ count })}
        </span>
      </p>
      <div ref={box} onChange={read}>
        {PARTS.map(({ part, word }) => (
          <fieldset key={part} className="mt-3">
            <legend className="font-medium text-ink-soft">{word()}</legend>
            <SlotGrid>
              {SLOT_TIMES.filter((time) => partOfDay(time) === part).map((time) => {
                const own = set.get(time);
                return (
                  // A new key, so that a box which the day checked does not stay checked for the doctor's choice.
                  <SlotCheck
                    key={own ? `${time} there` : time}
                    name={field.name}
                    time={time}
                    isThere={own !== undefined}
                    isBooked={own?.booked ?? booked.includes(time)}
                    isChecked={own !== undefined || ticked.includes(time)}
                  />
                );
              })}
            </SlotGrid>
          </fieldset>
        ))}
      </div>
      <FieldError field={field} />
    </fieldset>
  );
}

/** Returns the posted values, when the form has errors. Conform returns a single checked box as a string. */
function postedTimes({ initialValue }: Field): string[] | null {
  if (Array.isArray(initialValue)) return initialValue.map(String);
  return typeof initialValue === "string" ? [initialValue] : null;
}

type SlotCheckProps = { name: string; time: string; isThere: boolean; isBooked: boolean; isChecked: boolean };
const SlotCheck = ({ name, time, isThere, isBooked, isChecked }: SlotCheckProps) => (
  <SlotPick type="checkbox" name={name} value={time} defaultChecked={isChecked} disabled={isThere} data-booked={isBooked || undefined}>
    <span>{formatTime(time)}</span> {isBooked ? <small>{m.ui_slot_booked()}</small> : isThere && <small>{m.availability_slot_set()}</small>}
  </SlotPick>
);
