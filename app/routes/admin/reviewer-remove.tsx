import { href } from "react-router";
import { z } from "zod";
import { getReviewerOf } from "#app/domains/credentials/hospitals/queries.server.ts";
import { removeReviewer } from "#app/domains/credentials/hospitals/remove-reviewer.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { ConfirmPage } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/reviewer-remove.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const found = await getReviewerOf(ctx, params.id, params.userId);
  return { ...found, name: found.name || found.email || m.admin_role_reviewer(), back: href("/admin/hospitals/:id", { id: params.id }) };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  const { name, email, hospitalName } = await getReviewerOf(ctx, params.id, params.userId);
  await removeReviewer(ctx, { hospitalId: params.id, userId: params.userId });
  return redirectWithToast(
    href("/admin/hospitals/:id", { id: params.id }),
    m.admin_reviewer_removed({ name: name || email || m.admin_role_reviewer(), hospital: hospitalName }),
  );
});

export default function RemoveReviewer({ loaderData, actionData }: Route.ComponentProps) {
  const { name, hospitalName, others, waiting, back } = loaderData;
  return (
    <ConfirmPage
      title={m.admin_reviewers()}
      back={{ to: back, label: m.admin_back_to_hospitals() }}
      icon="users"
      question={m.admin_reviewer_remove_title({ name })}
      text={m.admin_reviewer_remove_text({ hospital: hospitalName })}
      answer={actionData}
    >
      {others === 0 && waiting > 0 && <Note tone="warn">{m.admin_reviewer_remove_last({ count: String(waiting) })}</Note>}
    </ConfirmPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_reviewers() }) }];
