import { useEffect, useRef } from "react";
import { href, Form as RouterForm, useNavigate } from "react-router";
import { getApplication, getOwnCase } from "#app/domains/credentials/application/own-case.server.ts";
import { reviseVerification } from "#app/domains/credentials/application/revise-verification.server.ts";
import { applicationSteps, STEP_PATHS } from "#app/domains/credentials/application/steps.ts";
import { RejectionNote } from "#app/domains/credentials/cases/components/rejection-note.tsx";
import { SupportLinks } from "#app/domains/guidance/help/components/support-links.tsx";
import { getSupport } from "#app/domains/guidance/help/support.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton, SubmitButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, useNadiForm } from "#app/ui/form.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useQuietReload } from "#app/ui/quiet-reload.ts";
import { SplitPage } from "#app/ui/split-page.tsx";
import { TrailStep } from "#app/ui/staff/trail.tsx";
import type { Route } from "./+types/doctor-verify.ts";

/** Spec 000 §9: polls the status every 5 seconds. */
const POLL_SECONDS = 5;
const isWaiting = (status: string) => status === "under review by hospital" || status === "pending admin approval";

export const handle: PageHandle = {
  refresh: (own) => (isWaiting((own as { status: string }).status) ? String(POLL_SECONDS) : null),
};
const STEPS = Object.keys(STEP_PATHS);

export const loader = loadOwn(async (ctx) => {
  const own = await getOwnCase(ctx);
  if (own.status === "verified") throw redirectTo(href("/doctor-dashboard"));
  const next = own.status === "draft" ? (await getApplication(ctx)).next : null;
  return { ...own, next, support: own.status === "suspended" ? getSupport() : null };
});

/**
 * "Re-submit Verification". The specification links this button to /dual-doctor, which redirects doctors who are logged in. So it
 * opens the application again: at the documents if some were requested again, otherwise at its first step.
 */
export async function action({ context }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const { rejected } = await getOwnCase(ctx);
  const opened = await orRefuse(async () => {
    try {
      await reviseVerification(ctx);
      return true;
    } catch (error) {
      // Pressed twice, or in another tab before: the page shows the current status.
      if (error instanceof DomainError && error.code === "conflict") return false;
      throw error;
    }
  });
  if (!opened) return redirectTo(href("/doctor-verify"));
  return redirectTo(rejected?.reasons.length ? `${STEP_PATHS.professional}#documents` : STEP_PATHS.hospital);
}

export default function DoctorVerify({ loaderData }: Route.ComponentProps) {
  const { status, rejected, suspendedNote, next, support } = loaderData;
  const waiting = isWaiting(status);
  usePolling(waiting);
  useEndOfBanner(status);
  return (
    <SplitPage drawing="time" tagline={m.accounts_doctor_tagline()} lean>
      <h1>{status === "rejected" ? m.accounts_verify_rejected() : m.accounts_verify_title()}</h1>
      {support && (
        <Note tone="bad" className="mt-6">
          <p>{m.accounts_verify_suspended()}</p>
          {suspendedNote && <p className="whitespace-pre-line">{suspendedNote}</p>}
          <SupportLinks support={support} />
        </Note>
      )}
      {status === "rejected" && <Rejected rejected={rejected} />}
      {next && (
        <>
          <p className="text-ink-soft mb-3">{m.application_draft_open()}</p>
          <Steps label={m.application_steps()} steps={applicationSteps()} current={STEPS.indexOf(next)} />
          <p className="mt-6">
            <LinkButton to={STEP_PATHS[next]} size="lg" full iconEnd="arrow-right">
              {m.application_continue()}
            </LinkButton>
          </p>
        </>
      )}
      {waiting && (
        <>
          <Note tone="ok" className="mb-3">
            <p>
              <b>{m.accounts_registered_title()}</b>
            </p>
            <p>{m.accounts_registered()}</p>
          </Note>
          <Checklist {...loaderData} />
          <p className="text-sm text-ink-soft">{m.accounts_verify_time()}</p>
          <p className="text-sm text-ink-soft">{m.accounts_verify_notice()}</p>
        </>
      )}
      <div className="row flex-wrap mt-6">
        {waiting && (
          <LinkButton to={href("/doctor-verify")} variant="second" icon="refresh-cw">
            {m.accounts_verify_refresh()}
          </LinkButton>
        )}
        <RouterForm method="post" action={href("/logout")}>
          <SubmitButton variant="quiet" icon="log-out">
            {m.application_logout()}
          </SubmitButton>
        </RouterForm>
      </div>
    </SplitPage>
  );
}

/**
 * Polls the status of a waiting case. Failures are only logged (spec 000 §8). Reloads the page's data only when the status
 * changes.
 */
function usePolling(waiting: boolean) {
  const reload = useQuietReload();
  useEffect(() => {
    if (!waiting) return;
    let before: string | null = null;
    const timer = setInterval(async () => {
      try {
        const answer = await fetch("/doctor-verify.data");
        if (!answer.ok) throw new Error(String(answer.status));
        const now = await answer.text();
        if (now !== before) await reload();
        before = now;
      } catch (error) {
        console.warn("verification status:", error);
      }
    }, POLL_SECONDS * 1000);
    return () => clearInterval(timer);
  }, [waiting, reload]);
}

/** Ends the banner "Verification submitted successfully!" when the status changes: a banner lasts until the next navigation. */
function useEndOfBanner(status: string) {
  const navigate = useNavigate();
  const shown = useRef(status);
  useEffect(() => {
    if (shown.current === status) return;
    shown.current = status;
    void navigate(".", { replace: true });
  }, [status, navigate]);
}

function Rejected({ rejected }: Pick<Route.ComponentProps["loaderData"], "rejected">) {
  const [form] = useNadiForm({ id: "revise" });
  return (
    <div className="mt-6">
      <RejectionNote rejected={rejected} />
      <p className="text-ink-soft mb-3">{m.application_rejected_next()}</p>
      <Form form={form}>
        <SubmitButton size="lg" full icon="refresh-cw">
          {m.application_resubmit()}
        </SubmitButton>
      </Form>
    </div>
  );
}

function Checklist({ status, submittedAt, hospitalApprovedAt }: Route.ComponentProps["loaderData"]) {
  const steps = [
    { name: m.accounts_verify_submitted(), at: submittedAt },
    { name: m.accounts_verify_hospital(), at: hospitalApprovedAt },
    { name: m.accounts_verify_admin(), at: null },
  ];
  const reached = status === "pending admin approval" ? 2 : 1;
  return (
    <ol className="mt-6">
      {steps.map(({ name, at }, i) => {
        const state = i < reached ? "done" : i === reached ? "now" : "todo";
        return (
          <TrailStep key={name} state={state} icon={state === "done" ? "circle-check" : state === "now" ? "hourglass" : "clock"}>
            <b>{name}</b>
            <p className="text-sm text-ink-soft">
              {state === "done"
                ? at
                  ? formatInstant(at)
                  : m.accounts_verify_done()
                : state === "now"
                  ? m.accounts_verify_now()
                  : m.accounts_verify_todo()}
            </p>
          </TrailStep>
        );
      })}
    </ol>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_verify_title() }) }];
