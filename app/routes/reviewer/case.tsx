import { href } from "react-router";
import { CaseDecisionSchema } from "#app/domains/credentials/cases/case-decision.schema.ts";
import { reviewerTabOf } from "#app/domains/credentials/cases/case-lists.ts";
import { readCase } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseAssignee } from "#app/domains/credentials/cases/components/case-assignee.tsx";
import { CaseCompany } from "#app/domains/credentials/cases/components/case-company.tsx";
import { CasePage } from "#app/domains/credentials/cases/components/case-page.tsx";
import { decideForHospital } from "#app/domains/credentials/cases/decide-for-hospital.server.ts";
import { alsoLooking, nextWaitingCase } from "#app/domains/credentials/cases/queue.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import type { Route } from "./+types/case.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const file = await readCase(ctx, params.id);
  const open = file.status === "under review by hospital";
  const [next, looking] = await Promise.all([nextWaitingCase(ctx, file.id), open ? alsoLooking(ctx, file.id) : []]);
  return { file, next, looking, viewerId: ctx.actor.userId, now: ctx.now };
});

/** Redirects to the next waiting case, or to the queue if that one has decisions already, which a second press must not use. */
export const action = submitOwn(CaseDecisionSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const doctor = await decideForHospital(ctx, { ...input, doctorId: params.id });
  if (input.intent === "save") return redirectWithToast(href("/reviewer/cases/:id", { id: params.id }), m.cases_saved());
  const next = await nextWaitingCase(ctx, params.id);
  return redirectWithToast(
    next?.untouched ? href("/reviewer/cases/:id", { id: next.id }) : href("/reviewer"),
    input.intent === "approve" ? m.cases_approved({ doctor }) : m.cases_sent_back({ doctor }),
  );
});

export default function ReviewerCase({ loaderData, actionData }: Route.ComponentProps) {
  const { file, next, looking, viewerId, now } = loaderData;
  return (
    <CasePage
      file={file}
      viewer={{ id: viewerId, role: "reviewer" }}
      now={now}
      base={href("/reviewer/cases/:id", { id: file.id })}
      back={{ to: `${href("/reviewer")}?tab=${reviewerTabOf(file.status)}`, label: m.cases_back_to_cases() }}
      next={next}
      answer={actionData}
      notes={
        <>
          <CaseCompany names={looking} />
          <Mistake status={file.status} />
        </>
      }
      below={
        file.status === "under review by hospital" && (
          <CaseAssignee file={file} viewerId={viewerId} action={href("/reviewer/cases/:id/assignment", { id: file.id })} />
        )
      }
    />
  );
}

/** What a reviewer can do about a wrong decision. */
function Mistake({ status }: { status: Route.ComponentProps["loaderData"]["file"]["status"] }) {
  if (status === "pending admin approval") return <Note className="mt-4">{m.cases_mistake_approved()}</Note>;
  if (status === "rejected") return <Note className="mt-4">{m.cases_mistake_sent_back()}</Note>;
  return null;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.file.name || m.cases_case_title() }) },
];
