import type { ReactNode } from "react";
import { Form } from "react-router";
import { type ButtonLook, SubmitButton } from "#app/ui/button.tsx";

type Fields = Record<string, string | number>;

/** A form of one press. `fields`: what it names, so that a second press is recognised. */
export const Press = ({ fields, className, children }: { fields: Fields; className?: string; children: ReactNode }) => (
  <Form method="post" className={className} preventScrollReset>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </Form>
);

/** A button of a `Press`. `about`: whom it concerns, for screen readers. */
export const PressButton = ({ intent, about, children, ...look }: ButtonLook & { intent: string; about?: string; children: string }) => (
  <SubmitButton {...look} name="intent" value={intent} aria-label={about ? `${children}: ${about}` : undefined}>
    {children}
  </SubmitButton>
);
