import { href } from "react-router";
import { allergiesWord } from "#app/domains/visit/allergies/known-allergies.ts";
import { signedAnywayWord } from "#app/domains/visit/documents/words.ts";
import { doctorLink, Timeline } from "#app/domains/visit/records/components/timeline.tsx";
import type { TimelineEntry } from "#app/domains/visit/records/timeline.ts";
import { getSharedPage } from "#app/domains/visit/sharing/shared-records.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Facts } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/patient-records.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  return { id: params.id, doctorId: ctx.actor.userId, page, ...(await getSharedPage(ctx, { id: params.id, page })) };
});

/** All records that a patient shares with the doctor: visits with others, their notes, prescriptions and documents. */
export default function PatientRecords({ loaderData }: Route.ComponentProps) {
  const { id, doctorId, page, name, until, entries, hasMore } = loaderData;
  const notes = new Map(entries.map((entry) => [entry.id, entry.note]));
  const below = (entry: TimelineEntry) => {
    const note = entry.kind === "prescription" ? notes.get(entry.id) : null;
    if (!note) return null;
    const diagnosis = [note.diagnosis, note.diagnosisCode && `(${note.diagnosisCode})`].filter(Boolean).join(" ");
    return (
      <details>
        <summary className="min-h-target py-2">{m.sharing_note()}</summary>
        <Facts
          items={[
            [m.visit_complaint(), note.complaint],
            [m.visit_findings(), note.findings],
            [m.visit_diagnosis(), diagnosis],
            [m.visit_allergies(), allergiesWord(note)],
            note.signedAnyway ? [m.visit_signed_anyway(), signedAnywayWord(note.signedAnyway)] : null,
            [m.visit_conditions(), note.conditions],
          ]}
        />
      </details>
    );
  };
  return (
    <Page wide title={m.sharing_all_of({ name })} back={{ to: href("/doctor/patients"), label: m.agenda_patients() }}>
      <p className="text-ink-soft">{m.sharing_others_until({ date: formatDate(until) })}</p>
      {entries.length === 0 && <p className="mt-7">{m.sharing_others_none()}</p>}
      <Timeline entries={entries} links={{ to: doctorLink(id, doctorId), below, doctor: true }} />
      <Pages page={page} hasMore={hasMore} to={(n) => listAddress(href("/doctor/patients/:id/records", { id }), { page: n })} />
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? m.sharing_all_of({ name: loaderData.name }) : m.sharing_all() }) },
];
