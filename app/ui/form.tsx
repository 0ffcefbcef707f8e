/**
 * Forms: the server validates with Conform and returns the input, with and without JavaScript. A page that also validates in the
 * browser, or has lists of fields, uses `useCheckedForm` (checked-form.ts).
 */
import type { SubmissionResult } from "@conform-to/react";
import { type ComponentProps, type FormEvent, type MouseEvent, useEffect, useRef } from "react";
import { Form as RouterForm } from "react-router";
import { ErrorSummary, focusSummary, type SummedForm } from "./error-summary.tsx";
import type { Field } from "./fields.tsx";
import { SAVED_FORM, useSavedForm } from "./saved-form.ts";

export { SubmitButton } from "./button.tsx";
export { ErrorSummary, type SummedForm } from "./error-summary.tsx";
export {
  Checkbox,
  type Field,
  FieldError,
  FieldFrame,
  FileField,
  looseField,
  OtpField,
  PasswordField,
  PhoneField,
  RadioPicks,
  SelectField,
  TextArea,
  TextField,
  useFileErrors,
} from "./fields.tsx";

type Values = Record<string, unknown>;

/** The errors and input of the action's response, in the shape of Conform's form (`useCheckedForm`). */
export type NadiForm = SummedForm & { onSubmit?: (event: FormEvent<HTMLFormElement>) => void };

/**
 * `const [form, fields] = useNadiForm<Input>({ id: "booking", lastResult: actionData?.result })`. For forms that only the server
 * validates: without Conform in the browser, which is 8 KB of each page.
 * @param options.id stable and unique on the page; ids of fields are `${id}-${name}`
 * @param options.lastResult result of the action (`FormAnswer.result`)
 * @param options.defaultValue initial values
 * @param options.isDraft the page stores the input as a draft: a success after a refusal does not reset the form, because the user may
 * have typed more since
 */
export function useNadiForm<Schema extends Values>(options: {
  id: string;
  lastResult?: SubmissionResult<string[]> | null | undefined;
  defaultValue?: { [Key in keyof Schema]?: unknown } | undefined;
  isDraft?: boolean;
}): [NadiForm, { [Key in keyof Schema]-?: Field }] {
  const { id, lastResult, defaultValue, isDraft = false } = options;
  useAnswer(id, lastResult, isDraft);
  const initialValue: Values = lastResult?.initialValue ?? defaultValue ?? {};
  const allErrors: Record<string, string[]> = {};
  for (const [name, errors] of Object.entries(lastResult?.error ?? {})) if (errors) allErrors[name] = errors;
  const fieldOf = (name: string): Field => ({
    key: undefined,
    id: `${id}-${name}`,
    name,
    errorId: `${id}-${name}-error`,
    descriptionId: `${id}-${name}-description`,
    initialValue: initialValue[name],
    errors: allErrors[name],
  });
  const fields = new Proxy({}, { get: (_, name) => fieldOf(String(name)) });
  return [{ id, status: lastResult?.status, initialValue, errors: allErrors[""], allErrors }, fields as never];
}

/** Moves the focus to the errors of a response, and resets the form after one without errors, except a draft. */
export function useAnswer(id: string, lastResult: SubmissionResult<string[]> | null | undefined, isDraft = false): void {
  const answered = useRef(false);
  useEffect(() => {
    // A later submission succeeded (perhaps with a redirect to this page): reset the errors of the earlier one.
    if (answered.current && !lastResult && !isDraft) (document.getElementById(id) as HTMLFormElement | null)?.reset();
    if (lastResult?.status === "error") focusSummary(id);
    answered.current = Boolean(lastResult);
  }, [id, lastResult, isDraft]);
  useEffect(() => {
    // A select that is reset to "" is blank: choose its first option, the placeholder.
    for (const select of document.getElementById(id)?.querySelectorAll("select") ?? [])
      if (select.selectedIndex < 0) select.selectedIndex = 0;
  });
}

/** `INTENT` of @conform-to/dom. */
const CONFORM_BUTTON = "__intent__";

/**
 * `<form method="post" novalidate>`, sent by fetch with JavaScript. Starts with the error summary. `encType` for files. `wrong`:
 * the page's own heading of the summary.
 */
export function Form({
  form,
  wrong,
  children,
  ...rest
}: { form: NadiForm; wrong?: string } & Omit<ComponentProps<typeof RouterForm>, "id" | "onSubmit" | "noValidate">) {
  const { id, onSubmit } = form;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (event.currentTarget.querySelector("input[type=file][aria-busy]")) return event.preventDefault();
    onSubmit?.(event);
    // Conform's validation on leaving a field submits the form with its own button: ignored here.
    const by = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("name");
    if (event.defaultPrevented && by !== CONFORM_BUTTON) focusSummary(id);
  };
  const saved = useSavedForm();
  return (
    <RouterForm
      method="post"
      {...rest}
      {...(saved !== null && { reloadDocument: true })}
      id={id}
      onSubmit={submit}
      onMouseDown={stayInField}
      noValidate
    >
      {saved !== null && <input type="hidden" name={SAVED_FORM} value={saved} />}
      <ErrorSummary form={form} heading={wrong}>
        {children}
      </ErrorSummary>
      {children}
    </RouterForm>
  );
}

/**
 * Leaves the focus in the field when a button is pressed: an error on leaving it would move the button from under the pointer, and the
 * press would be lost.
 */
function stayInField(event: MouseEvent<HTMLFormElement>) {
  if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
}
