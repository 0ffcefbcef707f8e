import { href } from "react-router";
import { AccountBadge } from "#app/domains/oversight/users/components/account-badge.tsx";
import { disableUser } from "#app/domains/oversight/users/disable-user.server.ts";
import { enableUser } from "#app/domains/oversight/users/enable-user.server.ts";
import { endSessions } from "#app/domains/oversight/users/end-sessions.server.ts";
import { getUser } from "#app/domains/oversight/users/queries.server.ts";
import { UserActionSchema } from "#app/domains/oversight/users/users.schema.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { ConfirmFirst } from "#app/domains/platform/accounts/components/confirm-first.tsx";
import { deviceWord } from "#app/domains/platform/settings/components/device-word.ts";
import { deviceOf } from "#app/domains/platform/users/device.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { isProven, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { TwoColumns } from "#app/ui/staff/two-columns.tsx";
import type { Route } from "./+types/user.ts";

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  return {
    user: await getUser(ctx, params.id),
    self: params.id === ctx.actor.userId,
    proven: isProven(context),
    unsent: await unsentForm({ context, request }),
  };
});

export const action = submitGuarded(UserActionSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/admin/users/:id", { id: params.id });
  switch (input.intent) {
    case "disable":
      await disableUser(ctx, { id: params.id, reason: input.reason });
      return redirectWithToast(here, m.admin_disabled());
    case "enable":
      await enableUser(ctx, { id: params.id });
      return redirectWithToast(here, m.admin_enabled());
    case "end-sessions": {
      const count = await endSessions(ctx, { id: params.id });
      return redirectWithToast(here, m.admin_sessions_ended({ count: String(count) }));
    }
  }
});

type Data = Route.ComponentProps["loaderData"];
type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | null;

export default function AdminUser({ loaderData, actionData }: Route.ComponentProps) {
  const { user, self, proven, unsent } = loaderData;
  const name = user.name || user.email || (user.phone && formatPhone(user.phone)) || m.cases_unnamed();
  return (
    <Page wide title={name} back={{ to: href("/admin/users"), label: m.admin_back_to_users() }}>
      <p className="mb-3">
        <AccountBadge status={user.status} />
      </p>
      <TwoColumns>
        <div>
          <section className="card mt-7" aria-labelledby="h-account">
            <h2 id="h-account" className="mb-3">
              {m.admin_user_facts()}
            </h2>
            <Facts
              items={[
                [m.admin_col_role(), roleWord(user.role)],
                [
                  m.admin_user_phone(),
                  user.phone && (
                    <span key="p" className="num">
                      {formatPhone(user.phone)}
                    </span>
                  ),
                ],
                [m.admin_user_email(), user.email],
                [m.admin_user_joined(), formatInstant(user.createdAt)],
                [m.admin_user_hospitals(), user.hospitals.length ? <Hospitals key="h" of={user.hospitals} /> : null],
              ]}
            />{" "}
            {user.isDemo && <Badge className="mt-2">{m.ui_demo()}</Badge>}
            <ul className="space-y-1 mt-2">
              {user.role === "doctor" && (
                <li>
                  <AnyLink to={href("/admin/doctors/:id", { id: user.id })}>{m.admin_user_case()}</AnyLink>
                </li>
              )}
              <li>
                <AnyLink to={`${href("/admin/audit")}?actor=${user.id}`}>{m.admin_user_log()}</AnyLink>
              </li>
              <li>
                <AnyLink to={`${href("/admin/audit")}?person=${user.id}&action=readings`}>{m.admin_user_log_about()}</AnyLink>
              </li>
            </ul>
          </section>
          <Sessions sessions={user.sessions} />
        </div>
        <div>
          <Change key={user.status} user={user} self={self} name={name} proven={proven} result={actionData?.result ?? unsent} />
        </div>
      </TwoColumns>
    </Page>
  );
}

const Hospitals = ({ of }: { of: Data["user"]["hospitals"] }) => (
  <ul>
    {of.map((h) => (
      <li key={h.id}>
        <AnyLink to={href("/admin/hospitals/:id", { id: h.id })}>{h.name}</AnyLink>
      </li>
    ))}
  </ul>
);

function Sessions({ sessions }: { sessions: Data["user"]["sessions"] }) {
  const [form] = useNadiForm({ id: "end-sessions" });
  return (
    <section className="card mt-7" aria-labelledby="h-sessions">
      <h2 id="h-sessions">{m.admin_sessions()}</h2>
      {sessions.length ? (
        <>
          <p className="text-sm text-ink-soft">{m.admin_sessions_text()}</p>
          <DividedList>
            {sessions.map((s, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: no public id of a session is here
              <li key={i}>
                <Facts
                  className="text-sm"
                  items={[
                    [m.admin_session_began(), formatInstant(s.createdAt)],
                    [m.admin_session_seen(), formatInstant(s.lastSeenAt)],
                    [m.admin_session_ip(), s.ip],
                    [m.admin_session_device(), deviceWord(deviceOf(s.userAgent))],
                  ]}
                />
              </li>
            ))}
          </DividedList>
          <Form form={form} className="mt-4 grid gap-2.5">
            <SubmitButton name="intent" value="end-sessions" variant="second" full>
              {m.admin_sessions_end()}
            </SubmitButton>
          </Form>
        </>
      ) : (
        <p className="text-ink-soft mt-2">{m.admin_sessions_none()}</p>
      )}
    </section>
  );
}

/** Disabling an account needs a reason, enabling does not. */
function Change({ user, self, name, proven, result }: Pick<Data, "user" | "self" | "proven"> & { name: string; result: Result }) {
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "change", lastResult: result });
  if (self) return <Note className="mt-7">{m.admin_disable_self()}</Note>;
  if (user.status === "deleted") return <Note className="mt-7">{m.admin_user_deleted_text()}</Note>;
  if (user.status === "disabled")
    return (
      <section className="card mt-7" aria-labelledby="h-change">
        <h2 id="h-change">{m.admin_user_disabled()}</h2>
        <Visits count={user.visits} />
        <Form form={form} className="mt-4 grid gap-2.5">
          {proven ? (
            <SubmitButton name="intent" value="enable" full>
              {m.admin_enable()}
            </SubmitButton>
          ) : (
            <ConfirmFirst />
          )}
        </Form>
      </section>
    );
  return (
    <section className="card mt-7" aria-labelledby="h-change">
      <h2 id="h-change">{m.admin_disable_title({ name })}</h2>
      <p className="text-sm text-ink-soft mb-3">{m.admin_disable_text()}</p>
      {user.registrationStatus === "verified" && (
        <Note tone="warn" className="text-sm mb-3">
          <p>{m.admin_user_directory()}</p>
          <p>
            <AnyLink to={href("/admin/doctors/:id/suspend", { id: user.id })}>{m.admin_suspend()}</AnyLink>
          </p>
        </Note>
      )}
      <Visits count={user.visits} />
      {!proven && <ConfirmFirst />}
      {proven && (
        <Form form={form}>
          <TextField
            field={fields.reason}
            label={m.admin_disable_reason()}
            hint={m.admin_disable_reason_hint()}
            maxLength={500}
            autoComplete="off"
          />
          <SubmitButton name="intent" value="disable" variant="danger" full className="mt-3" pendingText={m.admin_disabling()}>
            {m.admin_disable()}
          </SubmitButton>
        </Form>
      )}
    </section>
  );
}

/** What stays after an account is disabled. */
const Visits = ({ count }: { count: number }) =>
  count > 0 && (
    <Note tone="warn" className="text-sm mb-3">
      {m.admin_user_visits({ count: String(count) })}
    </Note>
  );

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.user.name || m.admin_users_title() }) },
];
