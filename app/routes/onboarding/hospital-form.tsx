import { useEffect, useRef, useState } from "react";
import { Link, Form as RouterForm } from "react-router";
import { hospitalTypedOf, newPage, writerOf } from "#app/domains/verification/application-form.server.ts";
import { RejectionNote } from "#app/domains/verification/components/rejection-note.tsx";
import { saveDraftStep } from "#app/domains/verification/draft-store.server.ts";
import { findHospitalOption, type HospitalOption, listHospitalOptions } from "#app/domains/verification/hospital-options.server.ts";
import { getApplication } from "#app/domains/verification/own-case.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/verification/steps.ts";
import { HospitalFormSchema } from "#app/domains/verification/verification.schema.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireDraftDoctor, requireRole } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FieldFrame, Form, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/hospital-form.ts";

export const handle = { desk: true };
export const middleware = [requireRole("doctor"), requireDraftDoctor];

type Listed = { options: HospitalOption[]; matching: number; total: number; problem: string | null };

/** The page does without its list: a hospital can still be entered by hand. */
async function listOrProblem(ctx: ReturnType<typeof actorCtxOf>, text: string): Promise<Listed> {
  try {
    return { ...(await listHospitalOptions(ctx, text)), problem: null };
  } catch (error) {
    const reason =
      noteFault(error, "hospital list")?.code === "unavailable" ? m.verification_hospitals_away() : m.verification_hospitals_failed();
    return { options: [], matching: 0, total: 0, problem: m.verification_hospitals_problem({ reason }) };
  }
}

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const query = new URL(request.url).searchParams;
  const { draft, rejected } = await getApplication(ctx);
  const typed = draft.steps.hospital;
  const asked = query.get("hospitalId");
  const mode = query.get("mode") === "manual" || query.get("mode") === "select" ? query.get("mode") : asked ? "select" : typed?.mode;
  const q = (query.get("q") ?? "").slice(0, 100);
  const list = await listOrProblem(ctx, q);
  const page = { version: draft.version, page: newPage(), q, list, rejected, registered: query.has("registered") };
  if (mode === "manual") {
    const kept = typed?.mode === "manual" ? typed : { hospitalName: "", hospitalAddress: "", contactNumber: "" };
    return { ...page, mode: "manual" as const, chosen: null, kept };
  }
  const chosen = list.problem ? null : await findHospitalOption(ctx, asked ?? typed?.hospitalId);
  // The chosen one stays in the list whatever was searched for.
  if (chosen && !list.options.some((option) => option.id === chosen.id)) list.options.unshift(chosen);
  return { ...page, mode: "select" as const, chosen, kept: null };
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
        if (!chosen) throw new DomainError("invalid", undefined, { fields: { hospitalId: [m.verification_hospital_gone()] } });
        const known = new URLSearchParams({ hospitalId: chosen.id, ...(input.q && { q: input.q }) });
        if (input.intent === "choose") return redirectTo(`/hospital-form?${known}#chosen`);
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
        throw new DomainError("unavailable", m.verification_hospital_save_failed(), { cause: error });
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
  // After a refusal the form that was sent, whatever the address says.
  const mode = (actionData?.result.initialValue as { mode?: string } | undefined)?.mode ?? loaderData.mode;
  return (
    <Page
      wizard
      title={m.verification_step_of({ step: "1" })}
      titleAs="p"
      actions={
        <LinkButton to="/logout" variant="quiet" size="sm">
          {m.accounts_log_out()}
        </LinkButton>
      }
    >
      <Steps label={m.verification_steps()} steps={applicationSteps()} current={0} />
      <h1 className="section tight mb">{m.verification_hospital_title()}</h1>
      {registered && (
        <Note tone="ok" role="status" className="mb">
          <p>
            <b>{m.accounts_registered_title()}</b>
          </p>
          <p>{m.accounts_registered()}</p>
          <p className="soft">{m.verification_registered_next()}</p>
        </Note>
      )}
      <RejectionNote rejected={rejected} />
      {list.problem && (
        <Note tone="bad" role="alert" className="mb">
          <p>
            <b>{m.verification_error_title()}</b>
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

type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;
type Data = Route.ComponentProps["loaderData"];

function SelectHospital({ list, q, chosen, version, page, result }: Data & { result: Result }) {
  const [form, fields] = useNadiForm<{ hospitalId: string }>({
    id: "hospital",
    lastResult: result,
    defaultValue: { hospitalId: chosen?.id ?? "" },
  });
  const select = useRef<HTMLSelectElement>(null);
  const [picked, setPicked] = useState(String(fields.hospitalId.initialValue || chosen?.id || ""));
  // What was picked before the script came.
  useEffect(() => setPicked(select.current?.value ?? ""), []);
  const option = list.options.find(({ id }) => id === picked);
  const hydrated = useHydrated();
  const none = list.total === 0;
  return (
    <>
      <RouterForm method="get" className="mb" role="search">
        <label className="label" htmlFor="hospital-search">
          {m.verification_hospital_search()}
        </label>
        <div className="search-row">
          <input
            className="input"
            id="hospital-search"
            type="search"
            name="q"
            defaultValue={q}
            maxLength={100}
            placeholder={m.verification_hospital_search_hint()}
          />
          <Button type="submit" variant="second" icon="search">
            {m.verification_search()}
          </Button>
        </div>
        <p className="row wrap small">
          <Button type="submit" variant="quiet" size="sm" icon="refresh-cw" className="flush">
            {m.verification_hospitals_refresh({ count: String(list.total) })}
          </Button>
        </p>
      </RouterForm>
      {none ? (
        <Note tone="warn" className="mb">
          <p>{m.verification_hospitals_none()}</p>
          <Link to="/hospital-form" reloadDocument>
            {m.verification_retry()}
          </Link>
        </Note>
      ) : (
        <Note tone="ok" role="status" className="mb">
          {m.verification_hospitals_loaded({ count: String(list.total) })}
        </Note>
      )}
      <Form form={form}>
        <input type="hidden" name="mode" value="select" />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <input type="hidden" name="q" value={q} />
        {/* The first button of a form is the one the Enter key presses. */}
        <button type="submit" name="intent" value="next" className="vh" tabIndex={-1} aria-hidden="true" />
        <FieldFrame
          field={fields.hospitalId}
          label={m.verification_hospital_select()}
          hint={
            q
              ? m.verification_hospitals_matching({ count: String(list.matching), text: q })
              : list.matching > list.options.length
                ? m.verification_hospitals_first({ count: String(list.options.length) })
                : undefined
          }
        >
          <select
            ref={select}
            className="input"
            id={fields.hospitalId.id}
            name="hospitalId"
            defaultValue={picked}
            disabled={none}
            aria-invalid={fields.hospitalId.errors ? true : undefined}
            onChange={(event) => setPicked(event.currentTarget.value)}
          >
            <option value="">{m.verification_hospital_placeholder()}</option>
            {list.options.map((option) => (
              <option key={option.id} value={option.id}>
                {option.name}, {option.address}
              </option>
            ))}
          </select>
        </FieldFrame>
        {/* With JavaScript a choice is filled in at once. */}
        {!hydrated && (
          <p className="section tight">
            <Button type="submit" name="intent" value="choose" variant="second" size="sm" icon="check" disabled={none}>
              {m.verification_hospital_choose()}
            </Button>
          </p>
        )}
        <p className="section tight alone">
          <Link to="/hospital-form?mode=manual">{m.verification_manual_toggle()}</Link>
        </p>
        <div id="chosen">
          <p className="small soft section tight" id="locked-why">
            {m.verification_hospital_locked()}
          </p>
          <Locked label={m.verification_hospital_name()} name="hospitalName" value={option?.name} />
          <Locked label={m.verification_hospital_address()} name="hospitalAddress" value={option?.address} />
          <Locked label={m.verification_hospital_contact()} name="contactNumber" value={option?.contact} type="tel" />
        </div>
        <Next disabled={hydrated && !option} />
      </Form>
    </>
  );
}

/** Filled from the list, and only to read. */
function Locked({ label, name, value, type = "text" }: { label: string; name: string; value: string | undefined; type?: string }) {
  return (
    <div className="field">
      <label className="label" htmlFor={`locked-${name}`}>
        {label}
      </label>
      <input
        key={value}
        className="input"
        id={`locked-${name}`}
        name={name}
        type={type}
        defaultValue={value ?? ""}
        readOnly
        aria-describedby="locked-why"
      />
    </div>
  );
}

function ManualHospital({ kept, version, page, result }: Data & { result: Result }) {
  const [form, fields] = useNadiForm<{ hospitalName: string; hospitalAddress: string; contactNumber: string }>({
    id: "hospital",
    lastResult: result,
    defaultValue: kept ?? {},
  });
  const hydrated = useHydrated();
  const first = (result?.initialValue ?? kept) as Record<string, string> | null;
  const [filled, setFilled] = useState(() =>
    ["hospitalName", "hospitalAddress", "contactNumber"].every((name) => Boolean(first?.[name]?.trim())),
  );
  return (
    <>
      <p className="mb alone">
        <Link to="/hospital-form?mode=select">{m.verification_select_toggle()}</Link>
      </p>
      <Note className="mb">{m.verification_manual_info()}</Note>
      <Form
        form={form}
        onInput={(event) => {
          const typed = new FormData(event.currentTarget);
          setFilled(["hospitalName", "hospitalAddress", "contactNumber"].every((name) => String(typed.get(name) ?? "").trim() !== ""));
        }}
      >
        <input type="hidden" name="mode" value="manual" />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="page" value={page} />
        <TextField
          field={fields.hospitalName}
          label={m.verification_hospital_name()}
          autoComplete="organization"
          maxLength={200}
          required
        />
        <TextArea
          field={fields.hospitalAddress}
          label={m.verification_hospital_address()}
          hint={m.verification_hospital_address_hint()}
          maxLength={400}
          rows={2}
          required
        />
        <TextField
          field={fields.contactNumber}
          label={m.verification_hospital_contact()}
          hint={m.verification_hospital_contact_hint()}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          required
        />
        <Next disabled={hydrated && !filled} />
      </Form>
    </>
  );
}

function Next({ disabled }: { disabled: boolean }) {
  return (
    <Dock>
      {disabled && <p className="grow small soft">{m.verification_hospital_wanted()}</p>}
      <SubmitButton name="intent" value="next" size="lg" full={!disabled} disabled={disabled} pendingText={m.verification_processing()}>
        {m.verification_next_professional()}
      </SubmitButton>
    </Dock>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.verification_hospital_title() }) }];
