import type { FormMetadata } from "@conform-to/react";
import { Fragment, isValidElement, type ReactNode, useState } from "react";
import { useActionData } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Note } from "./pieces.tsx";

/** The part of Conform's form that the summary reads. */
export type SummedForm = Pick<FormMetadata<Record<string, unknown>>, "id" | "status" | "initialValue" | "errors" | "allErrors">;

/** Moves focus to the error summary, and shows it when it has the focus already. A new summary takes the focus by itself. */
export function focusSummary(formId: string): void {
  const summary = document.getElementById(summaryOf(formId));
  summary?.focus();
  summary?.scrollIntoView({ block: "nearest" });
}
const summaryOf = (formId: string) => `wrong-${formId}`;
const focusOn = (box: HTMLElement | null) => box?.focus();

/**
 * Error summary at the top of a form, with a link to each field. Lists the labels of the fields under a message that they share, or
 * that does not name its empty field. Appears and takes the focus when the form was refused, and
 * disappears when all errors are corrected. Errors on leaving a field are shown next to their field only.
 * @param props.heading text above the errors of fields. Default: only for several errors
 * @param props.children content of the form, read for the labels of its fields
 */
export function ErrorSummary({ form, heading, children }: { form: SummedForm; heading?: string; children?: ReactNode }) {
  const ofPage = useActionData<{ filled?: string[] }>();
  const [wasShown, setWasShown] = useState(false);
  const general = form.errors ?? [];
  const found = Object.entries(form.allErrors).filter(([name, errors]) => name !== "" && errors[0] !== undefined);
  // Conform resets the status as soon as it validates a single field.
  const isShown = general.length + found.length > 0 && (wasShown || form.status === "error");
  if (isShown !== wasShown) setWasShown(isShown);
  if (!isShown) return null;
  const labels = new Map<string, ReactNode>();
  readLabels(children, labels);
  // In the order of the form: rules about several fields are checked last.
  const order = [...labels.keys()];
  const place = ([name]: [string, unknown]) => (labels.has(name) ? order.indexOf(name) : order.length);
  const wrong = found.toSorted((a, b) => place(a) - place(b));
  const isToFillIn = (name = "") => isEmpty(form, name) && !hasWordOf(labels.get(name), wrong.find(([other]) => other === name)?.[1][0]);
  const byMessage = [...Map.groupBy(wrong, ([, [message = ""]]) => message)].map(([message, fields]) => {
    const names = fields.map(([name]) => name);
    const known = names.filter((name) => labels.has(name));
    return { message, names, known, isShared: known.length > 0 && (names.length > 1 || isToFillIn(names[0])) };
  });
  const shared = byMessage.filter(({ isShared }) => isShared);
  const single = byMessage.filter(({ isShared }) => !isShared);
  const isAboutAll = shared.length === 1 && single.length === 0;
  const link = (name: string, text: ReactNode) => <a href={`#${form.id}-${name}`}>{text}</a>;
  return (
    <Note
      tone="bad"
      ref={focusOn}
      id={summaryOf(form.id)}
      className="summary mb-5 font-medium [&_a]:inline-block [&_a]:py-[0.65rem] [&_a]:text-inherit"
      role="alert"
      tabIndex={-1}
      autoFocus
    >
      <div className="space-y-1">
        {wrong.length > (heading ? 0 : 1) && (heading || !isAboutAll) && (
          <p>
            <b>
              {heading ??
                (wrong.some(([name]) => isEmpty(form, name) && !ofPage?.filled?.includes(name))
                  ? m.ui_fields_required()
                  : m.ui_fields_invalid())}
            </b>
          </p>
        )}
        {general.length > 0 && (
          <ul className="space-y-1">
            {general.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        )}
        {shared.map(({ message, known }) => (
          <Fragment key={message}>
            <p>{isAboutAll ? <b>{message}</b> : message}</p>
            <ul className="row flex-wrap">
              {known.map((name) => (
                <li key={name}>{link(name, labels.get(name))}</li>
              ))}
            </ul>
          </Fragment>
        ))}
        {single.length > 0 && (
          <ul className="space-y-1">
            {single.map(({ message, names: [name = ""] }) => (
              <li key={name}>{link(name, withLabel(labels.get(name), message))}</li>
            ))}
          </ul>
        )}
      </div>
    </Note>
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

/** Collects the labels of the fields in the content of a form, by name. Reads what the page wrote, not what components render. */
function readLabels(node: ReactNode, labels: Map<string, ReactNode>): void {
  if (Array.isArray(node)) for (const child of node) readLabels(child, labels);
  else if (isValidElement<{ field?: { name?: string }; label?: ReactNode; children?: ReactNode }>(node)) {
    const { field, label, children } = node.props;
    if (field?.name && label) labels.set(field.name, label);
    readLabels(children, labels);
  }
}

/** Returns "Label: message", or the message alone if it names the field. */
const withLabel = (label: ReactNode, message: string) =>
  typeof label !== "string" || hasWordOf(label, message) ? message : `${label.replace(/[.।]$/, "")}: ${message}`;

/** True if the message names the field: it has a word of the label. */
function hasWordOf(label: ReactNode, message = ""): boolean {
  if (typeof label !== "string") return false;
  const text = message.toLowerCase();
  return label
    .toLowerCase()
    .split(/[\s(),]+/)
    .some((word) => word.length > 2 && text.includes(word));
}
