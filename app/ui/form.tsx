/**
 * The one way forms are made: Conform (stable API) under our fields. The server's answer decides what is wrong and keeps
 * what was typed; it works the same with and without JavaScript. No zod here: a page that also wants to check a field when
 * the person leaves it gives `validate: validateWith(Schema)` (validate.ts) and pays for zod in its own chunk.
 */
import { type FormMetadata, getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import {
  type ClipboardEvent,
  type ComponentProps,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Form as RouterForm, useActionData } from "react-router";
import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "./class-names.ts";
import { Icon } from "./icon.tsx";

export { SubmitButton } from "./button.tsx";

type Values = Record<string, unknown>;
type Validate<Schema extends Values> = NonNullable<Parameters<typeof useForm<Schema, Schema, string[]>>[0]["onValidate"]>;

/**
 * `const [form, fields] = useNadiForm<Input>({ id: "booking", lastResult: actionData?.result })`.
 * @param options.id stable and unique on the page; fields are `${id}-${name}`
 * @param options.lastResult what the action answered (`FormAnswer.result`)
 * @param options.defaultValue values before anything was sent
 * @param options.validate from `validateWith(Schema)`: checks a field when it is left, with JavaScript only
 */
export function useNadiForm<Schema extends Values>(options: {
  id: string;
  lastResult?: SubmissionResult<string[]> | null;
  defaultValue?: { [Key in keyof Schema]?: unknown };
  validate?: Validate<Schema>;
}) {
  const { id, lastResult, defaultValue, validate } = options;
  const answered = useRef(false);
  useEffect(() => {
    // The answer is gone because a later one led on (perhaps back to this very page): what it found wrong goes with it.
    if (answered.current && !lastResult) (document.getElementById(id) as HTMLFormElement | null)?.reset();
    answered.current = Boolean(lastResult);
  }, [id, lastResult]);
  const made = useForm<Schema, Schema, string[]>({
    id,
    lastResult,
    defaultValue: defaultValue as never,
    defaultNoValidate: true,
    onValidate: validate,
    shouldValidate: validate ? "onBlur" : "onSubmit",
    shouldRevalidate: validate ? "onInput" : "onSubmit",
  });
  useEffect(() => {
    // Conform leaves a select blank when it resets it to "": its first line, which says "none", is what belongs there.
    for (const select of document.getElementById(id)?.querySelectorAll("select") ?? [])
      if (select.selectedIndex < 0) select.selectedIndex = 0;
  });
  return made;
}

/** `INTENT` of @conform-to/dom. */
const CONFORM_BUTTON = "__intent__";

type AnyForm = Pick<FormMetadata<Values>, "id" | "initialValue" | "errors" | "allErrors" | "onSubmit" | "noValidate">;

/**
 * `<form method="post" novalidate>`, by fetch with JavaScript. Begins with the error summary. `encType` for files. `wrong`: what
 * the summary says above the errors of fields, where a page has a sentence of its own for that. `answer`: what came back, where
 * the form is sent beside the page (a fetcher's).
 */
export function Form({
  form,
  wrong,
  answer,
  children,
  ...rest
}: { form: AnyForm; wrong?: string; answer?: unknown } & Omit<ComponentProps<typeof RouterForm>, "id" | "onSubmit" | "noValidate">) {
  const { id, onSubmit } = getFormProps(form as FormMetadata<Values>, { ariaAttributes: false });
  const [refusals, setRefusals] = useState(0);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit(event);
    // Conform sends the form to itself, by a button of its own, to check a field that was left: that is nobody's sending.
    const by = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("name");
    if (event.defaultPrevented && by !== CONFORM_BUTTON) setRefusals((count) => count + 1);
  };
  return (
    <RouterForm method="post" {...rest} id={id} onSubmit={submit} onMouseDown={stayInField} noValidate>
      <ErrorSummary form={form} refusals={refusals} heading={wrong} answer={answer} />
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
  form: AnyForm;
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
function isEmpty(form: AnyForm, name: string): boolean {
  if (typeof document === "undefined") return !form.initialValue?.[name];
  const field = (document.getElementById(form.id) as HTMLFormElement | null)?.elements.namedItem(name);
  return !(field && "value" in field && field.value);
}

/** What a field needs of Conform's metadata. */
export type Field = {
  key: string | undefined;
  id: string;
  name: string;
  errorId: string;
  descriptionId: string;
  initialValue: unknown;
  errors: string[] | undefined;
};

type FieldLook = {
  field: Field;
  label: ReactNode;
  /** Between label and field: what is wanted, in what form. */
  hint?: ReactNode;
  /** Marks the field "(optional)". */
  optional?: boolean;
  className?: string;
};
type Own = "id" | "name" | "defaultValue" | "className";

const textOf = (value: unknown): string | undefined => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** `aria-invalid` and `aria-describedby` of a control. */
function aria(field: Field, hint: ReactNode) {
  const describedBy = classes(hint != null && field.descriptionId, field.errors && field.errorId);
  return { "aria-invalid": field.errors ? true : undefined, "aria-describedby": describedBy } as const;
}

/** Label, hint, control, error. For a control of your own inside our look. */
export function FieldFrame({ field, label, hint, optional, className, children }: FieldLook & { children: ReactNode }) {
  return (
    <div className={classes("field", className)}>
      <label className="label" htmlFor={field.id}>
        {label} {optional && <span className="opt">{m.ui_optional()}</span>}
      </label>
      <Hint field={field}>{hint}</Hint>
      {children}
      <FieldError field={field} />
    </div>
  );
}
const Hint = ({ field, children }: { field: Field; children: ReactNode }) =>
  children == null ? null : (
    <span className="hint" id={field.descriptionId}>
      {children}
    </span>
  );

/** The sentence below a field, with its icon. */
export function FieldError({ field }: { field: Pick<Field, "errors" | "errorId"> }) {
  if (!field.errors?.length) return null;
  return (
    <p className="err" id={field.errorId}>
      <Icon name="circle-alert" small />
      <span>{field.errors.join(" ")}</span>
    </p>
  );
}

type InputProps = FieldLook & Omit<ComponentProps<"input">, Own>;

/** One line of text, a number, a date, an e-mail address: `type` as in HTML. */
export function TextField({ field, label, hint, optional, className, ...rest }: InputProps) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <input
        key={field.key}
        className="input"
        type="text"
        {...rest}
        {...aria(field, hint)}
        id={field.id}
        name={field.name}
        defaultValue={textOf(field.initialValue)}
      />
    </FieldFrame>
  );
}

/** An Indian mobile number, +91 before it. The server strips spaces and prefixes. */
export function PhoneField({ field, label, hint, optional, className, ...rest }: InputProps) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <span className="affix">
        <span>+91</span>
        <input
          key={field.key}
          className="input num"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          {...rest}
          {...aria(field, hint)}
          id={field.id}
          name={field.name}
          defaultValue={textOf(field.initialValue)}
        />
      </span>
    </FieldFrame>
  );
}

const never = () => () => {};
/** False on the server and while hydrating, then true: for what only works with JavaScript. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** A password; with JavaScript it can be shown. Never filled again from the server. */
export function PasswordField({ field, label, hint, optional, className, ...rest }: InputProps) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <span className="reveal">
        <input
          key={field.key}
          className="input"
          autoComplete="current-password"
          {...rest}
          {...aria(field, hint)}
          type={shown ? "text" : "password"}
          id={field.id}
          name={field.name}
          autoCapitalize="none"
          spellCheck={false}
        />
        {hydrated && (
          <button
            type="button"
            className="icon-btn"
            aria-pressed={shown}
            aria-label={shown ? m.ui_hide_password() : m.ui_show_password()}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? "eye-off" : "eye"} />
          </button>
        )}
      </span>
    </FieldFrame>
  );
}

/** Several lines of text. */
export function TextArea({ field, label, hint, optional, className, ...rest }: FieldLook & Omit<ComponentProps<"textarea">, Own>) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <textarea
        key={field.key}
        className="input"
        rows={3}
        {...rest}
        {...aria(field, hint)}
        id={field.id}
        name={field.name}
        defaultValue={textOf(field.initialValue)}
      />
    </FieldFrame>
  );
}

export type Option = { value: string; label: ReactNode; disabled?: boolean };

/** One of many. `placeholder` is the empty choice. */
export function SelectField({
  field,
  label,
  hint,
  optional,
  className,
  options,
  placeholder,
  ...rest
}: FieldLook & { options: Option[]; placeholder?: string } & Omit<ComponentProps<"select">, Own>) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <select
        key={field.key}
        className="input"
        {...rest}
        {...aria(field, hint)}
        id={field.id}
        name={field.name}
        defaultValue={textOf(field.initialValue) ?? ""}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** One of few, as radio cards. `columns`: side by side where there is room. */
export function RadioPicks({
  field,
  label,
  hint,
  optional,
  className,
  options,
  columns,
}: FieldLook & { options: Option[]; columns?: boolean }) {
  const initial = textOf(field.initialValue);
  return (
    <fieldset
      key={field.key}
      className={classes("field", className)}
      id={field.id}
      tabIndex={-1}
      aria-describedby={aria(field, hint)["aria-describedby"]}
    >
      <legend>
        {label} {optional && <span className="opt">{m.ui_optional()}</span>}
      </legend>
      <Hint field={field}>{hint}</Hint>
      <div className={classes("picks", columns && "three")}>
        {options.map((option) => (
          <label key={option.value} className="pick">
            <input
              type="radio"
              name={field.name}
              value={option.value}
              defaultChecked={option.value === initial}
              disabled={option.disabled}
              aria-invalid={field.errors ? true : undefined}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <FieldError field={field} />
    </fieldset>
  );
}

/** A single yes; sends "on". */
export function Checkbox({
  field,
  label,
  plain = true,
  className,
}: {
  field: Field;
  label: ReactNode;
  plain?: boolean;
  className?: string;
}) {
  return (
    <div className={classes("field", className)}>
      <label className={classes("pick", plain && "plain")}>
        <input
          key={field.key}
          type="checkbox"
          id={field.id}
          name={field.name}
          defaultChecked={field.initialValue === "on" || field.initialValue === true}
          {...aria(field, null)}
        />
        <span>
          <span>{label}</span>
        </span>
      </label>
      <FieldError field={field} />
    </div>
  );
}

/** Files; the form needs `encType="multipart/form-data"`. Browsers never keep a chosen file: say so after an error. */
export function FileField({ field, label, hint, optional, className, ...rest }: InputProps) {
  return (
    <div className={classes("field", className)}>
      <label className="file">
        <b>
          {label} {optional && <span className="opt">{m.ui_optional()}</span>}
        </b>
        <Hint field={field}>{hint}</Hint>
        <input key={field.key} {...rest} {...aria(field, hint)} type="file" id={field.id} name={field.name} />
      </label>
      <FieldError field={field} />
    </div>
  );
}

/** The one-time code: one input that looks like six boxes, so that paste and autofill work. */
export function OtpField({ field, label, hint, className, ...rest }: InputProps) {
  return (
    <FieldFrame {...{ field, label, hint, className }}>
      <span className={classes("otp", field.errors && "bad")}>
        <input
          key={field.key}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          pattern="[0-9]{6}"
          onPaste={pasteDigits}
          {...rest}
          {...aria(field, hint)}
          id={field.id}
          name={field.name}
          defaultValue={textOf(field.initialValue)}
        />
      </span>
    </FieldFrame>
  );
}
/** A pasted "123 456" loses its space before the six places are counted. */
function pasteDigits(event: ClipboardEvent<HTMLInputElement>) {
  const digits = plainDigits(event.clipboardData.getData("text")).replace(/\D/g, "");
  if (!digits) return;
  event.preventDefault();
  const input = event.currentTarget;
  input.setRangeText(digits.slice(0, 6), 0, input.value.length, "end");
  input.value = input.value.slice(0, 6);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
