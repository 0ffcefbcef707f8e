import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { ageWords } from "../age.ts";
import { WAITING } from "../case-lists.ts";
import { CaseBadge } from "./case-badge.tsx";

export type CaseLine = {
  id: string;
  name: string;
  email: string | null;
  specialization: string;
  city: string;
  status: RegistrationStatus;
  submittedAt: Date | null;
  updatedAt: Date;
  registeredAt: Date;
  hospitalName: string | null;
  isDemo: boolean;
  resubmitted: boolean;
  lastBy: string | null;
};

/** Cases as rows: doctor, hospital, waiting time. Each row links to its case. `registered` adds the day of registration. */
export function CaseTable({
  label,
  cases,
  base,
  now,
  registered,
}: {
  label: string;
  cases: CaseLine[];
  base: string;
  now: Date;
  registered?: boolean;
}) {
  const waiting = cases.every((line) => WAITING.includes(line.status));
  return (
    <div className="scroll">
      <table className="table rows">
        <caption className="vh">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{m.cases_col_doctor()}</th>
            <th scope="col">{m.cases_col_hospital()}</th>
            {registered && <th scope="col">{m.admin_col_registered()}</th>}
            <th scope="col">{waiting ? m.cases_col_age() : m.cases_col_decided()}</th>
            <th scope="col">{m.cases_col_status()}</th>
          </tr>
        </thead>
        <tbody>
          {cases.map((line) => (
            <tr key={line.id}>
              <td>
                <AnyLink className="go" to={`${base}/${line.id}`}>
                  {line.name || line.email || m.cases_unnamed()}
                </AnyLink>
                <p className="soft small">
                  {[line.specialization && specialtyWord(line.specialization), line.city].filter(Boolean).join(", ")}
                </p>
              </td>
              <td>{line.hospitalName ?? ""}</td>
              {registered && (
                <td data-label={m.admin_col_registered()}>
                  <time dateTime={todayInIndia(line.registeredAt)}>{formatDate(todayInIndia(line.registeredAt))}</time>
                </td>
              )}
              <td data-label={waiting ? m.cases_col_age() : m.cases_col_decided()}>
                {waiting ? line.submittedAt && ageWords(now.getTime() - line.submittedAt.getTime()) : lastWords(line)}
              </td>
              <td>
                <span className="row wrap">
                  <CaseBadge status={line.status} />{" "}
                  {line.resubmitted && WAITING.includes(line.status) && <Badge tone="info">{m.cases_resubmitted()}</Badge>}{" "}
                  {line.isDemo && <Badge>{m.ui_demo()}</Badge>}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const lastWords = ({ lastBy, updatedAt }: CaseLine) => {
  const date = formatDate(todayInIndia(updatedAt));
  return lastBy ? m.cases_decided_by({ name: lastBy, date }) : date;
};
