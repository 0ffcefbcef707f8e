import { useEffect, useState } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Checkbox, type Field, FileField, useFileErrors } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Disc, ErrorText } from "#app/ui/pieces.tsx";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "../upload-limits.ts";

/**
 * The photo of a user: the saved one, and the new one when it is chosen (with JavaScript) or received (without). A received one
 * stays with the form while other errors are corrected. Put it last in the form.
 */
export function PhotoField({
  who,
  hint,
  ready,
  field: given,
  remove,
  received: before,
}: {
  /** `photo`: the URL of the saved one. */
  who: { id: string; name: string; photo: string | null };
  /** Who can see it, and the size limit. */
  hint: string;
  /** Shown for a new photo before the form is saved. */
  ready: string;
  field: Field;
  remove: Field;
  /** The file received by an earlier post. */
  received: Field;
}) {
  const [field, choose] = useFileErrors(given);
  const [chosen, setChosen] = useState<string | null>(null);
  const received = [field.initialValue, before.initialValue].find((id) => typeof id === "string");
  const [tooLarge, setTooLarge] = useState(false);
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen)), [chosen]);
  // A refused file is not ready: its error states that.
  const fresh = field.errors ? null : (chosen ?? (received && href("/files/:id", { id: received })));
  return (
    <>
      <div className="row mb-3">
        <Disc id={who.id} name={who.name} photo={fresh ?? who.photo} size="lg" />
        <p className="grow text-ink-soft" role={fresh ? "status" : undefined}>
          {fresh ? ready : hint}
        </p>
      </div>
      {received && <input type="hidden" name={before.name} value={received} />}
      <FileField
        field={field}
        label={m.profile_photo_choose()}
        optional
        accept="image/jpeg,image/png,image/webp"
        most={MAX_IMAGE_BYTES}
        onChoose={(input) => {
          const file = input.files?.[0];
          const large = file !== undefined && file.size > MAX_IMAGE_BYTES;
          // Checks the size before the form is sent.
          if (large) input.value = "";
          choose();
          setTooLarge(large);
          setChosen(file && !large ? URL.createObjectURL(file) : null);
        }}
      />
      {tooLarge && <TooLarge />}
      {who.photo && !fresh && <Checkbox field={remove} label={m.profile_photo_remove()} />}
    </>
  );
}

const TooLarge = () => (
  <ErrorText role="alert">
    <Icon name="circle-alert" small />
    <span>{m.files_too_large({ megabytes: String(MAX_IMAGE_MB) })}</span>
  </ErrorText>
);
