import { href } from "react-router";
import { hospitalTypedOf, newPage, writerOf } from "#app/domains/credentials/application/application-form.server.ts";
import { ManualHospital } from "#app/domains/credentials/application/components/manual-hospital.tsx";
import { SelectHospital } from "#app/domains/credentials/application/components/select-hospital.tsx";
import type { HospitalList } from "#app/domains/credentials/application/draft.ts";
import { saveDraftStep } from "#app/domains/credentials/application/draft-store.server.ts";
import { findHospitalOption, listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { getApplication } from "#app/domains/credentials/application/own-case.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/credentials/application/steps.ts";
import { HospitalFormSchema } from "#app/domains/credentials/application/verification.schema.ts";
import { RejectionNote } from "#app/domains/credentials/cases/components/rejection-note.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SheetOf } from "#app/ui/document.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital-form.ts";

/** Without the list the page still works: a hospital can be entered manually. */
async function listOrProblem(ctx: ReturnType<typeof actorCtxOf>, text: string): Promise<HospitalList> {
  try {
    return { ...(await listHospitalOptions(ctx, text)), problem: null };
  } catch (error) {
    const reason =
      noteFault(error, "hospital list")?.code === "unavailable" ? m.application_hospitals_away() : m.application_hospitals_failed();
    return { options: [], matching: 0, total: 0, problem: m.application_hospitals_problem({ reason }) };
  }
}

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const { draft, rejected } = await getApplication(ctx);
  const typed = draft.steps.hospital;
  const asked = query.get("hospitalId");
  const mode = query.get("mode") === "manual" || query.get("mode") === "select" ? query.get("mode") : asked ? "select" : typed?.mode;
  const q = (query.get("q") ?? "").slice(0, 100);
  const list = await listOrProblem(ctx, q);
  const page = { version: draft.version, page: newPage(), q, list, rejected, registered: query.has("registered") };
  if (mode === "manual") {
    const stored = typed?.mode === "manual" ? typed : { hospitalName: "", hospitalAddress: "", contactNumber: "" };
    return { ...page, mode: "manual" as const, chosen: null, stored };
  }
  const chosen = list.problem ? null : await findHospitalOption(ctx, asked ?? typed?.hospitalId);
  // The chosen hospital stays in the list for any search.
  if (chosen && !list.options.some((option) => option.id === chosen.id)) list.options.unshift(chosen);
  return { ...page, mode: "select" as const, chosen, stored: null };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(
    request,
    HospitalFormSchema,
    async (input, formData) => {
      const typed = hospitalTypedOf(formData);
      if (input.mode === "select") {
        const chosen = await findHospitalOption(ctx, input.hospitalId);
        if (!chosen) throw new DomainError("invalid", undefined, { fields: { hospitalId: [m.application_hospital_gone()] } });
        const known = new URLSearchParams({ hospitalId: chosen.id, ...(input.q && { q: input.q }) });
        if (input.intent === "choose") return redirectTo(`${href("/hospital-form")}?${known}#chosen`);
        Object.assign(typed, {
          hospitalId: chosen.id,
          hospitalName: chosen.name,
          hospitalAddress: chosen.address,
          contactNumber: chosen.contact,
        });
      }
      try {
        await saveDraftStep(ctx, "hospital", writerOf(formData), typed);
      } catch (error) {
        if (noteFault(error, "hospital step")?.code === "conflict") throw error;
        throw new DomainError("unavailable", m.application_hospital_save_failed(), { cause: error });
      }
      return redirectTo(STEP_PATHS.professional);
    },
    {
      prepare: async (formData) => {
        if (!formData.has("mode")) formData.set("mode", formData.get("hospitalId") ? "select" : "manual");
      },
    },
  );
}

export default function HospitalForm({ loaderData, actionData }: Route.ComponentProps) {
  const { list, registered, rejected } = loaderData;
  // After a refusal the mode of the posted form, whatever the URL has.
  const mode = (actionData?.result.initialValue as { mode?: string } | undefined)?.mode ?? loaderData.mode;
  return (
    <Page
      wizard
      title={m.application_step_of({ step: "1" })}
      titleAs="p"
      actions={
        <LinkButton to={href("/logout")} variant="quiet" size="sm">
          {m.accounts_log_out()}
        </LinkButton>
      }
    >
      <SheetOf audience="staff" />
      <Steps label={m.application_steps()} steps={applicationSteps()} current={0} />
      <h1 className="mt-4 mb-3">{m.application_hospital_title()}</h1>
      {registered && (
        <Note tone="ok" role="status" className="mb-3">
          <p>
            <b>{m.application_account_created()}</b>
          </p>
          <p>{m.application_registered_next()}</p>
        </Note>
      )}
      <RejectionNote rejected={rejected} />
      {list.problem && (
        <Note tone="bad" role="alert" className="mb-3">
          <p>
            <b>{m.application_error_title()}</b>
          </p>
          <p>{list.problem}</p>
        </Note>
      )}
      {mode === "select" ? (
        <SelectHospital key={`${loaderData.q}|${loaderData.chosen?.id ?? ""}`} {...loaderData} result={actionData?.result} />
      ) : (
        <ManualHospital key="manual" {...loaderData} result={actionData?.result} />
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.application_hospital_title() }) }];
