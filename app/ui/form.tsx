/**
 * The one way forms are made: Conform (stable API) under our fields. The server's answer decides what is wrong and keeps
 * what was typed; it works the same with and without JavaScript. No zod here: a page that also wants to check a field when
 * the person leaves it gives `validate: validateWith(Schema)` (validate.ts) and pays for zod in its own chunk.
 */
import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { type ComponentProps, type FormEvent, type MouseEvent, useEffect, useRef } from "react";
import { Form as RouterForm } from "react-router";
import { callToSummary, ErrorSummary, type SummedForm } from "./error-summary.tsx";
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
} from "./fields.tsx";

type Values = Record<string, unknown>;
type Validate<Schema extends Values> = NonNullable<Parameters<typeof useForm<Schema, Schema, string[]>>[0]["onValidate"]>;

/**
 * `const [form, fields] = useNadiForm<Input>({ id: "booking", lastResult: actionData?.result })`.
 * @param options.id stable and unique on the page; fields are `${id}-${name}`
 * @param options.lastResult what the action answered (`FormAnswer.result`)
 * @param options.defaultValue values before anything was sent
 * @param options.correct from `validateWith(Schema)`: checks on sending only; an error goes when its field is corrected
 * @param options.validate from `validateWith(Schema)`: checks a field when it is left, with JavaScript only
 */
export function useNadiForm<Schema extends Values>(options: {
  id: string;
  lastResult?: SubmissionResult<string[]> | null;
  defaultValue?: { [Key in keyof Schema]?: unknown };
  validate?: Validate<Schema>;
  correct?: Validate<Schema>;
}) {
  const { id, lastResult, defaultValue, validate, correct } = options;
  const answered = useRef(false);
  const intent = useRef<FormDataEntryValue | null>(null);
  useEffect(() => {
    // The answer is gone because a later one led on (perhaps back to this very page): what it found wrong goes with it.
    if (answered.current && !lastResult) (document.getElementById(id) as HTMLFormElement | null)?.reset();
    if (lastResult?.status === "error") callToSummary(id);
    answered.current = Boolean(lastResult);
  }, [id, lastResult]);
  const made = useForm<Schema, Schema, string[]>({
    id,
    lastResult,
    defaultValue: defaultValue as never,
    defaultNoValidate: true,
    onValidate: validate ?? (correct && lastIntent(correct, intent)),
    shouldValidate: validate ? "onBlur" : "onSubmit",
    shouldRevalidate: validate || correct ? "onInput" : "onSubmit",
  });
  useEffect(() => {
    // Conform leaves a select blank when it resets it to "": its first line, which says "none", is what belongs there.
    for (const select of document.getElementById(id)?.querySelectorAll("select") ?? [])
      if (select.selectedIndex < 0) select.selectedIndex = 0;
  });
  return made;
}

/** Judges a corrected field as the button that was pressed last would have it. */
const lastIntent =
  <Schema extends Values>(correct: Validate<Schema>, intent: { current: FormDataEntryValue | null }): Validate<Schema> =>
  (given) => {
    intent.current = given.formData.get("intent") ?? intent.current;
    if (intent.current !== null) given.formData.set("intent", intent.current);
    return correct(given);
  };

/** `INTENT` of @conform-to/dom. */
const CONFORM_BUTTON = "__intent__";

type AnyForm = SummedForm & Pick<FormMetadata<Values>, "onSubmit" | "noValidate">;

/**
 * `<form method="post" novalidate>`, by fetch with JavaScript. Begins with the error summary. `encType` for files. `wrong`: what
 * the summary says above the errors of fields, where a page has a sentence of its own for that.
 */
export function Form({
  form,
  wrong,
  children,
  ...rest
}: { form: AnyForm; wrong?: string } & Omit<ComponentProps<typeof RouterForm>, "id" | "onSubmit" | "noValidate">) {
  const { id, onSubmit } = getFormProps(form as FormMetadata<Values>, { ariaAttributes: false });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit(event);
    // Conform sends the form to itself, by a button of its own, to check a field that was left: that is nobody's sending.
    const by = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("name");
    if (event.defaultPrevented && by !== CONFORM_BUTTON) callToSummary(id);
  };
  const kept = useSavedForm();
  return (
    <RouterForm
      method="post"
      {...rest}
      {...(kept !== null && { reloadDocument: true })}
      id={id}
      onSubmit={submit}
      onMouseDown={stayInField}
      noValidate
    >
      {kept !== null && <input type="hidden" name={SAVED_FORM} value={kept} />}
      <ErrorSummary form={form} heading={wrong} />
      {children}
    </RouterForm>
  );
}

/**
 * A pressed button does not take the focus from the field: the sentence that leaving it would bring moves the button away
 * from under the pointer before it is let go, and the press would be lost.
 */
function stayInField(event: MouseEvent<HTMLFormElement>) {
  if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
}
