import type { SubmissionResult } from "@conform-to/react";
import type { ComponentProps, ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "./button.tsx";
import { Form, SubmitButton, useNadiForm } from "./form.tsx";
import { type Back, Page } from "./shell.tsx";
import { ConfirmCard } from "./states.tsx";

/**
 * A page that asks one question: "Yes" posts its form, "No" and the arrow lead back. `answer`: what its action returned. `fields`: above the
 * buttons. `children`: between the question and the form.
 */
export function ConfirmPage({
  title,
  back,
  icon,
  question,
  text,
  answer,
  fields,
  children,
  ...buttons
}: Pick<ComponentProps<typeof ConfirmCard>, "icon" | "text" | "children"> &
  Pick<ComponentProps<typeof YesNo>, "yes" | "no" | "mild" | "pendingText"> & {
    title?: string;
    back: Back;
    question: string;
    answer?: { result: SubmissionResult<string[]> } | undefined;
    fields?: ReactNode;
  }) {
  const [form] = useNadiForm({ id: "confirm", lastResult: answer?.result });
  return (
    <Page title={title} titleAs="p" back={back}>
      <ConfirmCard
        icon={icon}
        title={question}
        text={text}
        actions={
          <YesNo form={form} back={back.to} {...buttons}>
            {fields}
          </YesNo>
        }
      >
        {children}
      </ConfirmCard>
    </Page>
  );
}

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
