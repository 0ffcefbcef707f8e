/**
 * Forms: Conform (stable API) with our fields. The server validates and returns the input, with and without JavaScript. No zod
 * here: a page that validates on blur passes `validate: validateWith(Schema)` (validate.ts), which loads zod in its chunk.
 */
import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { type ComponentProps, type FormEvent, type MouseEvent, useEffect, useRef } from "react";
import { Form as RouterForm } from "react-router";
import { ErrorSummary, focusSummary, type SummedForm } from "./error-summary.tsx";
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
type Validate<Schema extends Values> = NonNullable<Parameters<typeof useForm<Schema, Schema, string[]>>[0]["onValidate"]>;

/**
 * `const [form, fields] = useNadiForm<Input>({ id: "booking", lastResult: actionData?.result })`.
 * @param options.id stable and unique on the page; ids of fields are `${id}-${name}`
 * @param options.lastResult result of the action (`FormAnswer.result`)
 * @param options.defaultValue initial values
 * @param options.correct from `validateWith(Schema)`: validates on submit; an error disappears when its field is corrected
 * @param options.validate from `validateWith(Schema)`: validates on blur, with JavaScript only
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
    // A later submission succeeded (perhaps with a redirect to this page): reset the errors of the earlier one.
    if (answered.current && !lastResult) (document.getElementById(id) as HTMLFormElement | null)?.reset();
    if (lastResult?.status === "error") focusSummary(id);
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
    // Conform leaves a select blank when it resets it to "": choose its first option, the placeholder.
    for (const select of document.getElementById(id)?.querySelectorAll("select") ?? [])
      if (select.selectedIndex < 0) select.selectedIndex = 0;
  });
  return made;
}

/** Validates a corrected field for the button that was pressed last. */
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
 * `<form method="post" novalidate>`, sent by fetch with JavaScript. Starts with the error summary. `encType` for files. `wrong`:
 * the page's own heading of the summary.
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
    // Conform's on-blur validation submits the form with its own button: ignored here.
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
 * Leaves the focus in the field when a button is pressed: an error on blur would move the button from under the pointer, and the
 * press would be lost.
 */
function stayInField(event: MouseEvent<HTMLFormElement>) {
  if (event.target instanceof Element && event.target.closest("button")) event.preventDefault();
}
