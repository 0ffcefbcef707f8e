import { href } from "react-router";
import { MergeHospitalSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { mergeHospitals } from "#app/domains/credentials/hospitals/merge-hospitals.server.ts";
import { getHospital, listMergeTargets } from "#app/domains/credentials/hospitals/queries.server.ts";
import { hospitalStatusWord } from "#app/domains/credentials/hospitals/words.ts";
import { listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital-merge.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { query, search } = listState(request);
  const { id, name, city, status } = await getHospital(ctx, params.id);
  const targets = await listMergeTargets(ctx, { id, name, city }, search);
  return { id, name, status, search, targets, into: query.get("into") ?? "" };
});

export const action = submitOwn(MergeHospitalSchema, async (ctx, { into }, { params }: Route.ActionArgs) => {
  await mergeHospitals(ctx, { id: params.id, into });
  const { name } = await getHospital(ctx, into);
  return redirectWithToast(href("/admin/hospitals/:id", { id: into }), m.admin_merged({ hospital: name }), { stays: true });
});

export default function MergeHospital({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, status, search, targets, into } = loaderData;
  const here = href("/admin/hospitals/:id/merge", { id });
  const [form, fields] = useNadiForm<{ into: string }>({
    id: "merge",
    lastResult: actionData?.result ?? null,
    defaultValue: { into: targets.some((t) => t.id === into) ? into : "" },
  });
  const live = status === "active" || status === "pending";
  return (
    <Page
      title={m.admin_merge_title({ hospital: name })}
      back={{ to: href("/admin/hospitals/:id", { id }), label: m.admin_back_to_hospitals() }}
    >
      {!live && <Note tone="warn">{m.admin_hospital_wrong_state({ status: hospitalStatusWord(status) })}</Note>}
      {live && (
        <>
          <p className="text-ink-soft">{m.admin_merge_text()}</p>
          <Finder
            action={here}
            label={m.admin_merge_search()}
            placeholder={m.admin_merge_search()}
            text={search}
            button={m.cases_search()}
            clear={{ to: here, label: m.cases_clear_search() }}
          />
          {targets.length ? (
            <Form form={form} className="card" key={search}>
              <RadioPicks
                field={fields.into}
                label={m.admin_merge_into()}
                options={targets.map((t) => ({
                  value: t.id,
                  label: <Target target={t} />,
                }))}
              />
              <SubmitButton full className="mt-3" variant="danger" pendingText={m.admin_merging()}>
                {m.admin_merge_button()}
              </SubmitButton>
            </Form>
          ) : (
            <Note>{m.admin_merge_none()}</Note>
          )}
        </>
      )}
      <p className="mt-4">
        <LinkButton to={href("/admin/hospitals/:id", { id })} variant="quiet">
          {m.common_cancel()}
        </LinkButton>
      </p>
    </Page>
  );
}

const Target = ({ target: t }: { target: Route.ComponentProps["loaderData"]["targets"][number] }) => (
  <span>
    <b>{t.name}</b>{" "}
    <span className="text-sm text-ink-soft block">
      {t.address} · {m.admin_count_doctors({ count: String(t.doctors) })}, {m.admin_count_reviewers({ count: String(t.reviewers) })}
    </span>
  </span>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_merge() }) }];
