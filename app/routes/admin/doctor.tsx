import { href } from "react-router";
import { VisitRow } from "#app/domains/booking/appointments/components/visit-row.tsx";
import { listSuspendedVisits } from "#app/domains/booking/appointments/suspended-visits.server.ts";
import { CaseDecisionSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { WAITING } from "#app/domains/credentials/cases/case-lists.ts";
import { readCase } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseCompany } from "#app/domains/credentials/cases/components/case-company.tsx";
import { CasePage } from "#app/domains/credentials/cases/components/case-page.tsx";
import { decideAsAdmin } from "#app/domains/credentials/cases/decide-as-admin.server.ts";
import { alsoLooking, nextWaitingCase } from "#app/domains/credentials/cases/queue.server.ts";
import { assigneeWord } from "#app/domains/credentials/cases/waiting-words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/doctor.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const file = await readCase(ctx, params.id);
  const coming = file.status === "suspended" ? await listSuspendedVisits(ctx, file.id) : null;
  const waits = file.status === "pending admin approval";
  const [next, looking] = waits ? await Promise.all([nextWaitingCase(ctx, file.id), alsoLooking(ctx, file.id)]) : [null, []];
  return { file, coming, next, looking, viewerId: ctx.actor.userId, now: ctx.now };
});

/** Redirects to the next waiting case, or to the queue if that one has decisions already, which a second press must not use. */
export const action = submitOwn(CaseDecisionSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const doctor = await decideAsAdmin(ctx, { ...input, doctorId: params.id });
  if (input.intent === "save") return redirectWithToast(href("/admin/doctors/:id", { id: params.id }), m.cases_saved());
  const next = await nextWaitingCase(ctx, params.id);
  return redirectWithToast(
    `${href("/admin/doctors")}${next?.untouched ? `/${next.id}` : ""}`,
    input.intent === "approve" ? m.admin_approved({ doctor }) : m.cases_sent_back({ doctor }),
  );
});

export default function AdminDoctor({ loaderData, actionData }: Route.ComponentProps) {
  const { file, coming, next, looking, viewerId, now } = loaderData;
  return (
    <CasePage
      file={file}
      viewer={{ id: viewerId, role: "admin" }}
      now={now}
      base={href("/admin/doctors/:id", { id: file.id })}
      back={{ to: `${href("/admin/doctors")}?status=${encodeURIComponent(file.status)}`, label: m.admin_back_to_doctors() }}
      next={next}
      answer={actionData}
      notes={
        <>
          <CaseCompany names={looking} />
          <Notes file={file} />
        </>
      }
      actions={<Actions file={file} visits={coming?.total ?? 0} />}
      more={coming && <Coming coming={coming} doctorId={file.id} />}
    />
  );
}

type File = Route.ComponentProps["loaderData"]["file"];

/** What prevents a decision. */
function Notes({ file }: { file: File }) {
  const { hospital, status } = file;
  if (!hospital || !WAITING.includes(status)) return null;
  const unreviewed = status === "under review by hospital" && hospital.reviewers === 0;
  if (hospital.status !== "pending" && !unreviewed) return null;
  return (
    <Note tone="warn" className="mt-4">
      {hospital.status === "pending" && <p>{m.admin_hospital_check({ hospital: hospital.name })}</p>}
      {unreviewed && <p>{m.admin_reviewers_none()}</p>}
      <p>
        <AnyLink to={href("/admin/hospitals/:id", { id: hospital.id })}>{m.admin_hospital_open()}</AnyLink>
      </p>
    </Note>
  );
}

/** `visits`: number of upcoming visits of a suspended doctor. */
function Actions({ file, visits }: { file: File; visits: number }) {
  return (
    <>
      {file.status === "under review by hospital" && (
        <>
          <p>{assigneeWord(file, undefined)}</p>
          <LinkButton to={`${href("/admin/doctors/assign")}?case=${file.id}`} variant="second" full>
            {m.admin_assign_one()}
          </LinkButton>
        </>
      )}
      {file.status === "verified" && (
        <LinkButton to={href("/admin/doctors/:id/suspend", { id: file.id })} variant="danger" full>
          {m.admin_suspend()}
        </LinkButton>
      )}
      {file.status === "suspended" && (
        <LinkButton to={href("/admin/doctors/:id/reinstate", { id: file.id })} full>
          {m.admin_reinstate()}
        </LinkButton>
      )}
      {visits > 0 && (
        <LinkButton to={href("/admin/doctors/:id/visits", { id: file.id })} variant="second" full icon="calendar-x">
          {m.admin_coming_count({ count: String(visits) })}
        </LinkButton>
      )}
      <LinkButton to={href("/admin/users/:id", { id: file.id })} variant="quiet" full>
        {m.admin_user_facts()}
      </LinkButton>
    </>
  );
}

/** Upcoming visits of a suspended doctor, with a link to the page that changes them. */
function Coming({ coming, doctorId }: { coming: NonNullable<Route.ComponentProps["loaderData"]["coming"]>; doctorId: string }) {
  return (
    <section className="card mt-7" aria-labelledby="h-coming">
      <h2 id="h-coming">{m.admin_coming()}</h2>
      <p className="text-sm text-ink-soft mb-3">
        {coming.total ? m.admin_coming_text({ count: String(coming.total) }) : m.admin_coming_none()}
      </p>
      {coming.total > 0 && (
        <LinkButton to={href("/admin/doctors/:id/visits", { id: doctorId })} variant="second">
          {m.admin_visits_open()}
        </LinkButton>
      )}
      <DividedList>
        {coming.rows.map((visit) => (
          <VisitRow key={visit.id} visit={visit} />
        ))}
      </DividedList>
      {coming.total > coming.rows.length && (
        <p className="text-sm text-ink-soft mt-2">{m.admin_coming_more({ count: String(coming.total) })}</p>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.file.name || m.cases_case_title() }) },
];
