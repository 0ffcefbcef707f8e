import type { FormMetadata } from "@conform-to/react";
import { useState } from "react";
import { useActionData } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "./icon.tsx";

/** What the summary reads of Conform's form. */
export type SummedForm = Pick<FormMetadata<Record<string, unknown>>, "id" | "status" | "initialValue" | "errors" | "allErrors">;

/** Brings a person whose form was refused to what is wrong. A summary that only now appears calls by itself. */
export const callToSummary = (formId: string) => document.getElementById(summaryOf(formId))?.focus();
const summaryOf = (formId: string) => `wrong-${formId}`;
const focusOn = (box: HTMLElement | null) => box?.focus();

/**
 * What is wrong, once, at the top; each sentence leads to its field. It comes, and takes the focus, when the form was sent and
 * refused, and stands until all of it is mended: what a field says when it is left stands beside that field alone.
 * @param props.heading above the errors of fields; without it several errors have one
 */
export function ErrorSummary({ form, heading }: { form: SummedForm; heading?: string }) {
  const ofPage = useActionData<{ filled?: string[] }>();
  const [stood, setStood] = useState(false);
  const general = form.errors ?? [];
  const wrong = Object.entries(form.allErrors).filter(([name, errors]) => name !== "" && errors[0] !== undefined);
  // Conform forgets that the form was refused as soon as it looks at a single field again.
  const stands = general.length + wrong.length > 0 && (stood || form.status === "error");
  if (stands !== stood) setStood(stands);
  if (!stands) return null;
  // The same sentence for several fields is said once and leads to the first of them.
  const said = new Set<string>();
  const fields = wrong.filter(([, [error = ""]]) => !said.has(error) && said.add(error));
  return (
    // biome-ignore lint/a11y/noAutofocus: without JavaScript this is how the person lands on what is wrong
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
 * Whether a field holds nothing: as it was sent, or as it stands in the browser. Whoever reads Conform's own `value` is drawn
 * again, with the whole page, at each key that is pressed.
 */
function isEmpty(form: SummedForm, name: string): boolean {
  if (typeof document === "undefined") return !form.initialValue?.[name];
  const field = (document.getElementById(form.id) as HTMLFormElement | null)?.elements.namedItem(name);
  return !(field && "value" in field && field.value);
}
