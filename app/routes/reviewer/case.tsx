import { CaseDecisionSchema } from "#app/domains/verification/case-decision.schema.ts";
import { readCase } from "#app/domains/verification/case-queries.server.ts";
import { CasePage } from "#app/domains/verification/components/case-page.tsx";
import { decideForHospital } from "#app/domains/verification/decide-for-hospital.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/case.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return { file: await readCase(ctx, params.id), viewerId: ctx.actor.userId, now: ctx.now };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, CaseDecisionSchema, async (input) => {
    const doctor = await decideForHospital(actorCtxOf(context), { ...input, doctorId: params.id });
    if (input.intent === "save") return redirectWithToast(`/reviewer/cases/${params.id}`, m.reviewer_saved());
    return redirectWithToast("/reviewer", input.intent === "approve" ? m.reviewer_approved({ doctor }) : m.reviewer_sent_back({ doctor }));
  });
}

/** After a refusal the page shows the true state. */
export const shouldRevalidate = () => true;

export default function ReviewerCase({ loaderData, actionData }: Route.ComponentProps) {
  const { file, viewerId, now } = loaderData;
  return (
    <CasePage
      file={file}
      viewer={{ id: viewerId, role: "reviewer" }}
      now={now}
      base={`/reviewer/cases/${file.id}`}
      back={{ to: "/reviewer", label: m.reviewer_back_to_cases() }}
      result={actionData?.result}
    />
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.file.name || m.reviewer_case_title() }) },
];
