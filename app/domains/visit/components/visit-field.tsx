import type { ComponentProps, ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { ErrorText } from "#app/ui/pieces.tsx";

/** Errors of a form by the name of the field. */
export type FieldErrors = Record<string, string[]>;

type Look = { name: string; label: string; optional?: boolean; errors: FieldErrors; className?: string };
/** What a control with an error has. */
const wrong = (name: string, errors: FieldErrors) => (errors[name] ? { "aria-invalid": true, "aria-describedby": `e-${name}` } : {});

function Frame({ name, label, optional, errors, className, children }: Look & { children: ReactNode }) {
  return (
    <div className={className}>
      <label className="label" htmlFor={name}>
        {label} {optional && <span className="font-normal text-ink-soft">{m.visit_optional()}</span>}
      </label>
      {children}
      <Problem name={name} errors={errors} />
    </div>
  );
}

const Problem = ({ name, errors }: Pick<Look, "name" | "errors">) =>
  errors[name] && (
    <ErrorText id={`e-${name}`}>
      <Icon name="circle-alert" small />
      <span>{errors[name].join(" ")}</span>
    </ErrorText>
  );

export function VisitInput({ className, label, optional, errors, ...rest }: Look & Omit<ComponentProps<"input">, "name" | "className">) {
  return (
    <Frame {...{ name: rest.name, label, errors, ...(optional && { optional }), ...(className && { className }) }}>
      <input type="text" className="input" id={rest.name} autoComplete="off" {...wrong(rest.name, errors)} {...rest} />
    </Frame>
  );
}

export function VisitText({ className, label, optional, errors, ...rest }: Look & Omit<ComponentProps<"textarea">, "name" | "className">) {
  return (
    <Frame {...{ name: rest.name, label, errors, ...(optional && { optional }), ...(className && { className }) }}>
      <textarea className="input min-h-18" id={rest.name} rows={2} {...wrong(rest.name, errors)} {...rest} />
    </Frame>
  );
}

export function VisitSelect({
  className,
  label,
  optional,
  errors,
  options,
  ...rest
}: Look & { options: (readonly [value: string, word: string, lang?: string])[] } & Omit<ComponentProps<"select">, "name" | "className">) {
  return (
    <Frame {...{ name: rest.name, label, errors, ...(optional && { optional }), ...(className && { className }) }}>
      <select className="input" id={rest.name} {...wrong(rest.name, errors)} {...rest}>
        {options.map(([value, word, lang]) => (
          <option key={value} value={value} lang={lang}>
            {word}
          </option>
        ))}
      </select>
    </Frame>
  );
}

export function VisitCheck({ name, label, checked, errors = {} }: { name: string; label: string; checked: boolean; errors?: FieldErrors }) {
  return (
    <>
      <label className="inline-flex items-center gap-2 min-h-target py-1 pe-3.5 ps-3 border-[1.5px] border-line-strong rounded-[1.5rem] bg-card leading-[1.3] cursor-pointer [&_input]:flex-none [&_input]:my-[3px] [&_input]:me-[3px] [&_input]:ms-[4px] [&_input]:w-5 [&_input]:h-5 [&_input]:[accent-color:var(--color-brand)] [&:has(:checked)]:border-brand [&:has(:checked)]:bg-brand-soft focus-within:[outline:3px_solid_var(--color-ink)] focus-within:[outline-offset:2px]">
        <input type="checkbox" name={name} value="on" defaultChecked={checked} {...wrong(name, errors)} />
        <span>{label}</span>
      </label>
      <Problem name={name} errors={errors} />
    </>
  );
}
