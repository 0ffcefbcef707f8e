import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { Dock } from "#app/ui/shell.tsx";

/** The button to the second step, enabled when a hospital is chosen. */
export function HospitalNext({ disabled }: { disabled: boolean }) {
  return (
    <Dock>
      {disabled && <p className="grow text-sm text-ink-soft">{m.application_hospital_wanted()}</p>}
      <SubmitButton name="intent" value="next" size="lg" full={!disabled} disabled={disabled} pendingText={m.application_processing()}>
        {m.application_next_professional()}
      </SubmitButton>
    </Dock>
  );
}
