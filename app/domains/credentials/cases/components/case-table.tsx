import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import type { RegistrationStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Pick } from "#app/ui/members/pick.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { ageWords } from "../age.ts";
import { WAITING } from "../case-lists.ts";
import { assigneeWord, isLate, sinceWord } from "../waiting-words.ts";
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
  waitingSince: Date | null;
  assignedTo: string | null;
  assignedName: string | null;
};

type CaseTableProps = {
  label: string;
  cases: CaseLine[];
  base: string;
  now: Date;
  registered?: boolean;
  choose?: (line: CaseLine) => boolean;
  viewerId?: string;
};

/**
 * Cases as rows: doctor, hospital, waiting time. Each row links to its case. `registered` adds the day of registration. `choose`: the cases
 * with a checkbox `case`. `viewerId`: the reviewer who reads it.
 */
export function CaseTable({ label, cases, base, now, registered, choose = () => false, viewerId }: CaseTableProps) {
  const waiting = cases.every((line) => WAITING.includes(line.status));
  return (
    <RowsTable
      caption={label}
      heads={[
        m.cases_col_doctor(),
        m.cases_col_hospital(),
        registered && m.admin_col_registered(),
        waiting ? m.cases_col_age() : m.cases_col_decided(),
        m.cases_col_status(),
      ]}
    >
      {cases.map((line) => (
        <tr key={line.id}>
          <td>
            <CaseName line={line} base={base} choose={choose(line)} />
          </td>
          <td>
            {line.hospitalName ?? ""}
            {line.status === "under review by hospital" && <p className="text-sm text-ink-soft">{assigneeWord(line, viewerId)}</p>}
          </td>
          {registered && (
            <td data-label={m.admin_col_registered()}>
              <time dateTime={todayInIndia(line.registeredAt)}>{formatDate(todayInIndia(line.registeredAt))}</time>
            </td>
          )}
          <td data-label={waiting ? m.cases_col_age() : m.cases_col_decided()}>
            {waiting ? <CaseAge line={line} now={now} /> : lastWords(line)}
          </td>
          <td>
            <span className="row flex-wrap">
              <CaseBadge status={line.status} />{" "}
              {line.resubmitted && WAITING.includes(line.status) && <Badge tone="info">{m.cases_resubmitted()}</Badge>}{" "}
              {line.isDemo && <Badge>{m.ui_demo()}</Badge>}
            </span>
          </td>
        </tr>
      ))}
    </RowsTable>
  );
}

function CaseName({ line, base, choose }: { line: CaseLine; base: string; choose: boolean }) {
  const name = line.name || line.email || m.cases_unnamed();
  const about = (
    <>
      <RowLink to={`${base}/${line.id}`}>{name}</RowLink>
      <span className="text-sm text-ink-soft block">
        {[line.specialization && specialtyWord(line.specialization), line.city].filter(Boolean).join(", ")}
      </span>
    </>
  );
  if (!choose) return <div>{about}</div>;
  return (
    <div className="row items-start">
      <Pick look="plain" className="min-w-target-min" type="checkbox" name="case" value={line.id}>
        <span className="sr-only">{m.cases_choose({ doctor: name })}</span>
      </Pick>
      <div className="grow">{about}</div>
    </div>
  );
}

/** How long it waits since the submission, and with whom since when. */
function CaseAge({ line, now }: { line: CaseLine; now: Date }) {
  const since = line.waitingSince;
  return (
    <>
      {line.submittedAt && ageWords(now.getTime() - line.submittedAt.getTime())}{" "}
      {isLate(line, now) && (
        <Badge tone="bad" icon="clock">
          {m.cases_late()}
        </Badge>
      )}{" "}
      {since && <span className="text-sm text-ink-soft block">{sinceWord(line.status, since)}</span>}
    </>
  );
}

const lastWords = ({ lastBy, updatedAt }: CaseLine) => {
  const date = formatDate(todayInIndia(updatedAt));
  return lastBy ? m.cases_decided_by({ name: lastBy, date }) : date;
};
