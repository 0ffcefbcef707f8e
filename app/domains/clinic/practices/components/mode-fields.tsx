import { href } from "react-router";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import type { PracticeMode } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { type Field, RadioPicks } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { ModeFacts } from "../mode-facts.ts";

type ModeProps = { field: Field; id: string; now: PracticeMode; facts: ModeFacts; hasHours: boolean };

/** Shown only with this choice, inside a form with the class `group`, unless it has an error. */
export const onlyWith = {
  slots: "not-has-[[aria-invalid]]:group-has-[[value=tokens]:checked]:hidden",
  tokens: "not-has-[[aria-invalid]]:group-has-[[value=slots]:checked]:hidden",
};

/** How patients book a practice, and below the other choice what it changes. Without `:has()` the browser always shows that. */
export function ModeFields({ field, id, now, facts, hasHours }: ModeProps) {
  const option = (value: PracticeMode, label: string, hint: string) => ({
    value,
    label: (
      <span>
        {label} <span className="hint mb-0">{hint}</span>
      </span>
    ),
    disabled: value === "tokens" && now === "slots" && !hasHours,
  });
  return (
    <>
      <RadioPicks
        field={field}
        label={m.practices_mode()}
        options={[
          option("slots", m.practices_mode_slots(), m.practices_mode_slots_hint()),
          option("tokens", m.practices_mode_tokens(), m.practices_mode_tokens_hint()),
        ]}
      />
      {!hasHours && now === "slots" && (
        <p className="mt-2">
          {m.practices_mode_hours_first()} <AnyLink to={href("/doctor/practices/:id/hours", { id })}>{m.practices_set_hours()}</AnyLink>
        </p>
      )}
      {(hasHours || now === "tokens") && (
        <Note className={onlyWith[now === "slots" ? "tokens" : "slots"]}>{now === "slots" ? toTokens(facts) : toSlots(facts)}</Note>
      )}
      <input type="hidden" name="modeShown" value={now} />
    </>
  );
}

function toTokens({ free, byHand, booked, first }: ModeFacts) {
  return (
    <>
      <p>
        {m.practices_to_tokens()} {free > 0 && m.practices_to_tokens_free({ count: free })}{" "}
        {byHand > 0 && m.practices_to_tokens_hand({ count: byHand })}
      </p>
      {booked > 0 && (
        <>
          <p className="mt-2">{m.practices_to_tokens_booked({ count: booked })}</p>
          <ul className="space-y-1 mt-2">
            {first.map((visit) => (
              <li key={visit.id}>
                <AnyLink to={href("/doctor/patient/:id", { id: visit.id })}>
                  {whenWord(visit)}: {visit.name}
                </AnyLink>
              </li>
            ))}
            {booked > first.length && <li>{m.practices_mode_more({ count: booked - first.length })}</li>}
          </ul>
          <p className="mt-2">{m.practices_to_tokens_closed()}</p>
        </>
      )}
    </>
  );
}

const toSlots = ({ free, booked }: ModeFacts) => (
  <>
    <p>
      {m.practices_to_slots()} {free > 0 && m.practices_to_slots_free({ count: free })}
    </p>
    {booked > 0 && <p className="mt-2">{m.practices_to_slots_booked({ count: booked })}</p>}
  </>
);
