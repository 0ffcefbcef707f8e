/** What the pages share that change an appointment at the request of its patient or doctor. */
import type { ReactNode } from "react";
import { href } from "react-router";
import type { AskedBy } from "#app/domains/oversight/visits/help-with-visit.schema.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { formatDay } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { RadioPicks, TextArea } from "#app/ui/form.tsx";
import { Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";

type Visit = {
  id: string;
  date: string;
  time: string;
  token: number | null;
  expectedTime: string | null;
  patientName: string;
  doctorName: string;
};
type Field = Parameters<typeof TextArea>[0]["field"];

/** The page with its appointment. `refused`: why there is no form. */
export function RequestPage({
  visit,
  title,
  refused,
  children,
}: {
  visit: Visit;
  title: string;
  refused: string | null;
  children: ReactNode;
}) {
  const back = { to: href("/admin/appointments/:id", { id: visit.id }), label: m.admin_visit_back_one() };
  return (
    <Page title={title} back={back}>
      <section className="card mt-4" aria-label={m.admin_visit_title()}>
        <Facts
          items={[
            [m.admin_find_when(), `${formatDay(visit.date)}, ${visitTimeWord(visit)}`],
            [m.admin_find_patient(), visit.patientName],
            [m.admin_find_doctor(), visit.doctorName],
          ]}
        />
      </section>
      {refused ? (
        <>
          <Note tone="warn" className="mt-4">
            {refused}
          </Note>
          <p className="mt-4">
            <LinkButton to={back.to} variant="second">
              {m.admin_visit_back_one()}
            </LinkButton>
          </p>
        </>
      ) : (
        <section className="card mt-4" aria-label={title}>
          {children}
        </section>
      )}
    </Page>
  );
}

/** Who asked, and what for. */
export const RequestFields = ({ askedBy, why, words }: { askedBy: Field; why: Field; words: Record<AskedBy, string> }) => (
  <>
    <RadioPicks
      field={askedBy}
      label={m.admin_visit_asked()}
      options={(["patient", "doctor"] as const).map((value) => ({ value, label: words[value] }))}
    />
    <TextArea field={why} label={m.admin_visit_why()} hint={m.admin_visit_why_hint()} rows={2} maxLength={300} />
  </>
);
