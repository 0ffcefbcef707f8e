import { getRegistrationStatus } from "#app/domains/doctors/queries.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { SplitPage } from "#app/ui/shell.tsx";
import type { Route } from "./+types/doctor-verify.ts";

export const handle = { desk: true };
export const middleware = [requireRole("doctor")];

/** Spec 000 §9: the status is asked for every 5 seconds. */
const POLL_SECONDS = 5;

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const status = await getRegistrationStatus(ctxOf(context));
  if (status === "verified") throw redirectTo("/doctor-dashboard");
  return { status: status ?? "draft" };
});

/** How far the application has come: 0 not submitted, 1 with the hospital, 2 with the administrator. */
const REACHED = { draft: 0, "under review by hospital": 1, "pending admin approval": 2, rejected: 0, suspended: 0, verified: 3 } as const;

export default function DoctorVerify({ loaderData }: Route.ComponentProps) {
  const { status } = loaderData;
  const open = status !== "rejected" && status !== "suspended";
  useReloadAt(open ? POLL_SECONDS : 0);
  return (
    <SplitPage drawing="time" tagline={m.accounts_doctor_tagline()} lean>
      <h1>{status === "rejected" ? m.accounts_verify_rejected() : m.accounts_verify_title()}</h1>
      {status === "suspended" ? (
        <Note tone="bad" className="code">
          {m.accounts_verify_suspended()}
        </Note>
      ) : (
        <>
          <p className="soft">{m.accounts_registered()}</p>
          <Checklist reached={REACHED[status]} />
          <p className="soft small">{m.accounts_verify_time()}</p>
        </>
      )}
      <p className="row wrap code">
        {open && (
          <LinkButton to="/doctor-verify" variant="second" icon="refresh-cw">
            {m.accounts_verify_refresh()}
          </LinkButton>
        )}
        <LinkButton to="/logout" variant="quiet">
          {m.accounts_log_out()}
        </LinkButton>
      </p>
    </SplitPage>
  );
}

function Checklist({ reached }: { reached: number }) {
  const steps = [m.accounts_verify_submitted(), m.accounts_verify_hospital(), m.accounts_verify_admin()];
  return (
    <ol className="trail code">
      {steps.map((step, i) => {
        const state = i < reached ? "done" : i === reached ? "now" : "todo";
        return (
          <li key={step} className={state} aria-current={state === "now" ? "step" : undefined}>
            <Icon name={state === "done" ? "circle-check" : state === "now" ? "hourglass" : "clock"} />
            <b>{step}</b>
            <p className="small soft">
              {state === "done" ? m.accounts_verify_done() : state === "now" ? m.accounts_verify_now() : m.accounts_verify_todo()}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_verify_title() }) }];
