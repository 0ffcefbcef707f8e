import type { FormMetadata } from "@conform-to/react";
import { useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "./icon.tsx";

/** What the summary reads of Conform's form. */
export type SummedForm = Pick<FormMetadata<Record<string, unknown>>, "id" | "initialValue" | "errors" | "allErrors">;

/**
 * What is wrong, once, at the top; each sentence leads to its field. It comes, and takes the focus, when the form was sent and
 * refused: what a field says when it is left stands beside that field alone.
 * @param props.refusals how often the browser itself refused to send it
 * @param props.heading above the errors of fields; without it several errors have one
 */
export function ErrorSummary({
  form,
  refusals = 0,
  heading,
  answer: beside,
}: {
  form: SummedForm;
  refusals?: number;
  heading?: string;
  answer?: unknown;
}) {
  const box = useRef<HTMLDivElement>(null);
  const general = form.errors ?? [];
  const wrong = Object.entries(form.allErrors).filter(([name, errors]) => name !== "" && errors[0] !== undefined);
  // The same sentence for several fields is said once and leads to the first of them.
  const said = new Set<string>();
  const fields = wrong.filter(([, [error = ""]]) => !said.has(error) && said.add(error));
  const any = general.length + fields.length > 0;

  // Which sending the errors belong to: once all of them were mended, that sending is settled.
  const ofPage = useActionData<{ filled?: string[] }>();
  const answer = beside ?? ofPage;
  const [settled, setSettled] = useState<{ answer: unknown; refusals: number } | null>(any ? null : { answer, refusals });
  const had = useRef(any);
  useEffect(() => {
    if (had.current && !any) setSettled({ answer, refusals });
    had.current = any;
  }, [any, answer, refusals]);
  const shown = any && (settled?.answer !== answer || settled?.refusals !== refusals);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer and each refusal calls the person back to it
  useEffect(() => {
    if (shown) box.current?.focus();
  }, [shown, answer, refusals]);
  if (!shown) return null;
  return (
    // biome-ignore lint/a11y/noAutofocus: without JavaScript this is how the person lands on what is wrong
    <div ref={box} className="note bad summary" role="alert" tabIndex={-1} autoFocus>
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
 * Whether a field holds nothing: as it was sent, or as it stands in the browser. Conform's own `value` would read the whole form
 * at each render, and a form that counts its readings (the doctor's application) would change by being looked at.
 */
function isEmpty(form: SummedForm, name: string): boolean {
  if (typeof document === "undefined") return !form.initialValue?.[name];
  const field = (document.getElementById(form.id) as HTMLFormElement | null)?.elements.namedItem(name);
  return !(field && "value" in field && field.value);
}
