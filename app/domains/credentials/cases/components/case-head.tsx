import type { ReactNode } from "react";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { m } from "#app/paraglide/messages.js";
import { Badge, Disc, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { ageWords } from "../age.ts";
import { type CaseFile, isResubmitted } from "../case-file.ts";
import { WAITING } from "../case-lists.ts";
import { CaseBadge } from "./case-badge.tsx";

/** The doctor at the top of a case. `children`: the link to the next case. */
export function CaseHead({ file, now, children }: { file: CaseFile; now: Date; children?: ReactNode }) {
  const place = [file.city, file.state].filter(Boolean).join(", ");
  const work = file.specialization
    ? m.cases_years({ specialization: specialtyWord(file.specialization), years: String(file.experienceYears) })
    : "";
  const name = file.name || m.cases_unnamed();
  return (
    <div className="row flex-wrap items-start">
      <Disc id={file.id} name={name} size="lg" />
      <div className="grow basis-0">
        <h1>{name}</h1>
        <p className="text-ink-soft">{[work, place].filter(Boolean).join(" · ")}</p>
        <MetaLine className="mt-2">
          {file.hospital && <Meta icon="hospital">{file.hospital.name}</Meta>}{" "}
          {file.submittedAt && WAITING.includes(file.status) && (
            <Meta icon="clock">{m.cases_waiting_for({ age: ageWords(now.getTime() - file.submittedAt.getTime()) })}</Meta>
          )}{" "}
          <CaseBadge status={file.status} />{" "}
          {WAITING.includes(file.status) && isResubmitted(file) && (
            <Badge tone="info" icon="refresh-cw">
              {m.cases_resubmitted()}
            </Badge>
          )}{" "}
          {file.isDemo && <Badge>{m.ui_demo()}</Badge>}
        </MetaLine>
      </div>
      {children}
    </div>
  );
}
