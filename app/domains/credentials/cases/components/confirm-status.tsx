import type { ReactNode } from "react";
import { href } from "react-router";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { statusWord } from "../words.ts";

/** The page that suspends or reinstates a doctor: the question with its form, or why the status does not allow it. */
export function ConfirmStatus({
  doctor: { id, status, legal },
  action,
  icon,
  title,
  text,
  children,
}: {
  doctor: { id: string; status: RegistrationStatus; legal: boolean };
  action: string;
  icon: IconName;
  title: string;
  text: string;
  children: ReactNode;
}) {
  const back = href("/admin/doctors/:id", { id });
  return (
    <Page title={action} titleAs="p" back={{ to: back, label: m.cases_reveal_back() }}>
      <ConfirmCard
        icon={icon}
        title={title}
        text={text}
        actions={
          <LinkButton to={back} variant="quiet">
            {legal ? m.ui_no() : m.cases_reveal_back()}
          </LinkButton>
        }
      >
        {legal ? children : <Note tone="warn">{m.cases_not_open({ status: statusWord(status) })}</Note>}
      </ConfirmCard>
    </Page>
  );
}
