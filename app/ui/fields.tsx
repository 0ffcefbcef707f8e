/** Form fields: label, hint, control and error. */

import { type ChangeEvent, type ClipboardEvent, type ComponentProps, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { classes } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { FileBox } from "./members/file-box.tsx";
import { Pick } from "./members/pick.tsx";
import { ErrorText, Optional } from "./pieces.tsx";
import { isUnfit } from "./unfit-photo.ts";
import { useHydrated } from "./use-hydrated.ts";

/** The part of Conform's metadata that a field needs. */
export type Field = {
  key: string | undefined;
  id: string;
  name: string;
  errorId: string;
  descriptionId: string;
  initialValue: unknown;
  errors: string[] | undefined;
};

/** A field that Conform does not manage: a row of a list that grows by posts, a computed value. */
export const looseField = (field: { id: string; name: string; value: string; errors?: string[] | undefined }): Field => ({
  key: undefined,
  id: field.id,
  name: field.name,
  errorId: `${field.id}-error`,
  descriptionId: `${field.id}-description`,
  initialValue: field.value,
  errors: field.errors,
});

type FieldLook = {
  field: Field;
  label: ReactNode;
  /** Text between label and field: the expected input and format. */
  hint?: ReactNode;
  /** Marks the field "(optional)". */
  optional?: boolean;
  className?: string;
};
type Own = "id" | "name" | "defaultValue" | "className";

const textOf = (value: unknown): string | undefined => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** Returns the attributes that link a control to its label, hint and error. */
function tied(field: Field, hint?: ReactNode) {
  return {
    "aria-invalid": field.errors ? true : undefined,
    "aria-describedby": classes(hint != null && field.descriptionId, field.errors && field.errorId),
    id: field.id,
    name: field.name,
  } as const;
}

/** Label, hint and error around a custom control. */
export function FieldFrame({ field, label, hint, optional, className, children }: FieldLook & { children: ReactNode }) {
  return (
    <div className={classes("field", className)}>
      <label className="label" htmlFor={field.id}>
        {label} {optional && <Optional />}
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

/** The error below a field. */
export function FieldError({ field }: { field: Pick<Field, "errors" | "errorId"> }) {
  if (!field.errors?.length) return null;
  return (
    <ErrorText id={field.errorId}>
      <Icon name="circle-alert" small />
      <span>{field.errors.join(" ")}</span>
    </ErrorText>
  );
}

type InputProps = FieldLook & Omit<ComponentProps<"input">, Own>;

/** A single-line input: `type` as in HTML. */
export function TextField({ field, label, hint, optional, className, ...rest }: InputProps) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <input key={field.key} className="input" type="text" {...rest} {...tied(field, hint)} defaultValue={textOf(field.initialValue)} />
    </FieldFrame>
  );
}

/**
 * An Indian mobile number after +91. The server strips spaces and prefixes. Takes more than a number needs, because a browser cuts a pasted
 * text: cut, a number that is too long would be the number of a stranger.
 */
export function PhoneField({ field, label, hint, optional, className, ...rest }: InputProps) {
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <span className="flex">
        <span className="grid place-items-center rounded-l-md border-[1.5px] border-r-0 border-line-strong bg-well px-3.5 font-bold max-narrow:px-1.5">
          +91
        </span>
        <input
          key={field.key}
          className="input num min-w-0 rounded-l-none max-narrow:px-1.5"
          type="tel"
          maxLength={40}
          inputMode="tel"
          autoComplete="tel"
          {...rest}
          {...tied(field, hint)}
          defaultValue={textOf(field.initialValue)}
        />
      </span>
    </FieldFrame>
  );
}

/** A password; with JavaScript it can be shown. Never filled in by the server. */
export function PasswordField({ field, label, hint, optional, className, ...rest }: InputProps) {
  const [shown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <FieldFrame {...{ field, label, hint, optional, className }}>
      <span className="relative block">
        <input
          key={field.key}
          className="input pr-13"
          autoComplete="current-password"
          {...rest}
          type={shown ? "text" : "password"}
          {...tied(field, hint)}
          autoCapitalize={shown ? "none" : undefined}
          spellCheck={false}
        />
        {hydrated && (
          <button
            type="button"
            className="icon-btn absolute top-0.5 right-0"
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
      <textarea key={field.key} className="input" rows={3} {...rest} {...tied(field, hint)} defaultValue={textOf(field.initialValue)} />
    </FieldFrame>
  );
}

/** `lang`: language of the label if it is not the page's. */
type Option = { value: string; label: ReactNode; disabled?: boolean; lang?: string };

/** A select. `placeholder`: the empty choice. */
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
      <select key={field.key} className="input" {...rest} {...tied(field, hint)} defaultValue={textOf(field.initialValue) ?? ""}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** Radio cards. `columns`: side by side if they fit. */
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
      aria-describedby={tied(field, hint)["aria-describedby"]}
    >
      <legend>
        {label} {optional && <Optional />}
      </legend>
      <Hint field={field}>{hint}</Hint>
      <div className={columns ? "flex flex-wrap gap-2" : "grid gap-2.5 *:min-w-0"}>
        {options.map((option) => (
          <Pick
            key={option.value}
            look={columns ? "column" : "card"}
            type="radio"
            name={field.name}
            value={option.value}
            defaultChecked={option.value === initial}
            disabled={option.disabled}
          >
            {option.label}
          </Pick>
        ))}
      </div>
      <FieldError field={field} />
    </fieldset>
  );
}

/** A checkbox; sends "on". */
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
      <Pick
        key={field.key}
        look={plain ? "plain" : "card"}
        type="checkbox"
        {...tied(field)}
        defaultChecked={field.initialValue === "on" || field.initialValue === true}
      >
        <span>{label}</span>
      </Pick>
      <FieldError field={field} />
    </div>
  );
}

/** Hides the error of a file from the moment another one is chosen. Returns the field to show and what to call on a choice. */
export function useFileErrors(given: Field): [field: Field, choose: () => void] {
  const [corrected, setCorrected] = useState<string[]>();
  const field = given.errors && given.errors === corrected ? { ...given, errors: undefined } : given;
  return [field, () => setCorrected(given.errors)];
}

/**
 * A file input; the form needs `encType="multipart/form-data"`. Browsers clear it after an error: add a note. `most`: bytes of a file; with scripts a larger
 * photo is made smaller before `onChoose`; `Form` is not sent meanwhile.
 */
export function FileField({
  field: given,
  label,
  hint,
  optional,
  className,
  most,
  onChoose,
  ...rest
}: Omit<InputProps, "onChange"> & { most?: number; onChoose?: (input: HTMLInputElement) => void }) {
  const [field, choose] = useFileErrors(given);
  const choice = useRef(0);
  const [isShrinking, setShrinking] = useState(false);
  const onChange = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    choose();
    const mine = ++choice.current;
    if (most !== undefined && input.files && [...input.files].some((file) => isUnfit(file, most))) {
      setShrinking(true);
      const { files } = input;
      // Loaded when it is needed, which is seldom. Without a network the photo stays, and the server says why it refuses it.
      const smaller = await import("./shrink-photos.ts").then(({ shrinkPhotos }) => shrinkPhotos(files, most)).catch(() => files);
      // The user has chosen another one meanwhile.
      if (mine !== choice.current) return;
      input.files = smaller;
    }
    // `onChoose` may send the form.
    flushSync(() => setShrinking(false));
    onChoose?.(input);
  };
  return (
    <div className={classes("field", className)}>
      <FileBox
        label={
          <>
            <b>
              {label} {optional && <Optional />}
            </b>
            <Hint field={field}>{hint}</Hint>
          </>
        }
        key={field.key}
        {...rest}
        {...tied(field, hint)}
        onChange={onChange}
        aria-busy={isShrinking || undefined}
      />
      {most !== undefined && (
        <p role="status" className="text-sm text-ink-soft">
          {isShrinking && m.files_shrinking()}
        </p>
      )}
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
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          pattern="[0-9]{6}"
          onPaste={pasteDigits}
          {...rest}
          {...tied(field, hint)}
          defaultValue={textOf(field.initialValue)}
        />
      </span>
    </FieldFrame>
  );
}
/** Removes spaces of a pasted "123 456" before maxlength applies. */
function pasteDigits(event: ClipboardEvent<HTMLInputElement>) {
  const digits = plainDigits(event.clipboardData.getData("text")).replace(/\D/g, "");
  if (!digits) return;
  event.preventDefault();
  const input = event.currentTarget;
  input.setRangeText(digits.slice(0, 6), 0, input.value.length, "end");
  input.value = input.value.slice(0, 6);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
