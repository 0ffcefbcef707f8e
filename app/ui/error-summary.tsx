import type { FormMetadata } from "@conform-to/react";
import { useState } from "react";
import { useActionData } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "./icon.tsx";

/** The part of Conform's form that the summary reads. */
export type SummedForm = Pick<FormMetadata<Record<string, unknown>>, "id" | "status" | "initialValue" | "errors" | "allErrors">;

/** Moves focus to the error summary. A new summary takes the focus by itself. */
export const focusSummary = (formId: string) => document.getElementById(summaryOf(formId))?.focus();
const summaryOf = (formId: string) => `wrong-${formId}`;
const focusOn = (box: HTMLElement | null) => box?.focus();

/**
 * Error summary at the top of a form, with a link to each field. Appears and takes the focus when the form was refused, and
 * disappears when all errors are corrected. Errors on blur are shown next to their field only.
 * @param props.heading text above the errors of fields. Default: only for several errors
 */
export function ErrorSummary({ form, heading }: { form: SummedForm; heading?: string }) {
  const ofPage = useActionData<{ filled?: string[] }>();
  const [wasShown, setWasShown] = useState(false);
  const general = form.errors ?? [];
  const wrong = Object.entries(form.allErrors).filter(([name, errors]) => name !== "" && errors[0] !== undefined);
  // Conform resets the status as soon as it validates a single field.
  const isShown = general.length + wrong.length > 0 && (wasShown || form.status === "error");
  if (isShown !== wasShown) setWasShown(isShown);
  if (!isShown) return null;
  // A message of several fields is shown once and links to the first.
  const shown = new Set<string>();
  const fields = wrong.filter(([, [error = ""]]) => !shown.has(error) && shown.add(error));
  return (
    // biome-ignore lint/a11y/noAutofocus: moves to the errors without JavaScript
    <div ref={focusOn} id={summaryOf(form.id)} className="note bad summary" role="alert" tabIndex={-1} autoFocus>
      <Icon name="circle-alert" />
      <div className="grow stack-s">
        {wrong.length > (heading ? 0 : 1) && (
          <p>
            <b>
              {heading ??
                (wrong.some(([name]) => isEmpty(form, name) && !ofPage?.filled?.includes(name))
                  ? m.ui_fields_required()
                  : m.ui_fields_invalid())}
            </b>
          </p>
        )}
        <ul className="stack-s">
          {general.map((error) => (
            <li key={error}>{error}</li>
          ))}
          {fields.map(([name, errors]) => (
            <li key={name}>
              <a href={`#${form.id}-${name}`}>{errors[0]}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/**
 * Returns whether a field is empty, as sent or as shown in the browser. Does not read Conform's `value`, which would render the
 * whole page again at each key.
 */
function isEmpty(form: SummedForm, name: string): boolean {
  if (typeof document === "undefined") return !form.initialValue?.[name];
  const field = (document.getElementById(form.id) as HTMLFormElement | null)?.elements.namedItem(name);
  return !(field && "value" in field && field.value);
}
