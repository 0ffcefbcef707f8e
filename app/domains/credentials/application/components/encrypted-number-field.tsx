import type { ComponentProps } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/form.tsx";

/** The field of an encrypted number. It is not shown again. An empty field preserves it. */
export function EncryptedNumberField({ stored, hint, ...rest }: ComponentProps<typeof TextField> & { stored: string | null }) {
  const empty = () => {
    const input = document.getElementById(rest.field.id);
    if (input instanceof HTMLInputElement) input.value = "";
  };
  return (
    <>
      <TextField
        {...rest}
        optional
        autoComplete="off"
        spellCheck={false}
        hint={stored ? m.application_number_kept({ number: stored }) : hint}
      />
      {stored && (
        <Button
          type="submit"
          variant="quiet"
          size="sm"
          icon="trash-2"
          name="intent"
          value={`clear:${rest.field.name}`}
          className="pl-0"
          onClick={empty}
        >
          {m.application_number_remove({ name: String(rest.label) })}
        </Button>
      )}
    </>
  );
}
