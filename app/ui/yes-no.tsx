import type { ComponentProps, ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "./button.tsx";
import { Form, SubmitButton } from "./form.tsx";

/** Buttons of a `<ConfirmCard>`: "Yes" posts the form, "No" links back. `mild`: for an action that removes nothing. */
export function YesNo({
  form,
  yes = m.ui_yes(),
  no = m.ui_no(),
  back,
  mild,
  pendingText,
  children,
}: {
  form: ComponentProps<typeof Form>["form"];
  yes?: string;
  no?: string;
  back: string;
  mild?: boolean;
  pendingText?: string;
  /** Fields above the buttons. */
  children?: ReactNode;
}) {
  return (
    <Form form={form} className="row flex-wrap">
      {children}
      <SubmitButton variant={mild ? undefined : "danger"} pendingText={pendingText}>
        {yes}
      </SubmitButton>
      <LinkButton to={back} variant="quiet" className="min-w-target-min justify-start pl-0">
        {no}
      </LinkButton>
    </Form>
  );
}
