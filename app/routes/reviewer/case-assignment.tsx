import { href } from "react-router";
import { OwnCaseSchema } from "#app/domains/credentials/cases/assign-case.schema.ts";
import { assignCase, getAssignment } from "#app/domains/credentials/cases/assign-case.server.ts";
import { CaseAssignee } from "#app/domains/credentials/cases/components/case-assignee.tsx";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/case-assignment.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  return { ...(await getAssignment(ctx, params.id)), viewerId: ctx.actor.userId };
});

export const action = submitOwn(OwnCaseSchema, async (ctx, { intent, from }, { params }: Route.ActionArgs) => {
  await assignCase(ctx, { doctorId: params.id, to: intent === "take" ? ctx.actor.userId : null, from });
  return redirectWithToast(href("/reviewer/cases/:id", { id: params.id }), intent === "take" ? m.cases_taken() : m.cases_released());
});

/** Takes a case or gives it back. The case has the same buttons; this page shows why one was refused. */
export default function CaseAssignment({ loaderData: found, actionData }: Route.ComponentProps) {
  const path = { id: found.id };
  return (
    <Page title={found.name} back={{ to: href("/reviewer/cases/:id", path), label: m.cases_reveal_back() }}>
      {found.open ? (
        <CaseAssignee
          file={found}
          viewerId={found.viewerId}
          action={href("/reviewer/cases/:id/assignment", path)}
          result={actionData?.result}
        />
      ) : (
        <Note tone="warn">{m.cases_assign_closed()}</Note>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: m.ui_title({ page: loaderData?.name || m.cases_case_title() }) }];
