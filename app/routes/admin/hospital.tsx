import { href } from "react-router";
import { ADMIN_STATUSES } from "#app/domains/credentials/cases/case-lists.ts";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { HospitalBadge } from "#app/domains/credentials/hospitals/components/hospital-badge.tsx";
import { confirmHospital } from "#app/domains/credentials/hospitals/confirm-hospital.server.ts";
import { HospitalPageSchema } from "#app/domains/credentials/hospitals/hospitals.schema.ts";
import { inviteReviewer, revokeInvitation } from "#app/domains/credentials/hospitals/invite-reviewer.server.ts";
import { getHospital, listMergeTargets } from "#app/domains/credentials/hospitals/queries.server.ts";
import { hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import { ConfirmFirst } from "#app/domains/platform/accounts/components/confirm-first.tsx";
import { loadOwn } from "#app/http/load.server.ts";
import { isProven, submitGuarded, unsentForm } from "#app/http/proof.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { formatDate, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { LANGUAGE_NAMES, LANGUAGES, language } from "#app/lib/language.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Badge, Facts, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { TwoColumns } from "#app/ui/staff/two-columns.tsx";
import type { Route } from "./+types/hospital.ts";

export const loader = loadOwn(async (ctx, { context, params, request }: Route.LoaderArgs) => {
  const hospital = await getHospital(ctx, params.id);
  const alike = hospital.status === "pending" ? await listMergeTargets(ctx, hospital, "") : [];
  return { hospital, alike: alike.slice(0, 3), proven: isProven(context), unsent: await unsentForm({ context, request }) };
});

export const action = submitGuarded(HospitalPageSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/admin/hospitals/:id", { id: params.id });
  switch (input.intent) {
    case "invite":
      await inviteReviewer(ctx, { ...input, hospitalId: params.id });
      return redirectWithToast(here, m.admin_invite_sent({ email: input.email }), { stays: true });
    case "take-back":
      await revokeInvitation(ctx, { ...input, hospitalId: params.id });
      return redirectWithToast(here, m.admin_invite_withdrawn());
    case "confirm": {
      await confirmHospital(ctx, { id: params.id });
      const { name } = await getHospital(ctx, params.id);
      return redirectWithToast(here, m.admin_confirmed({ hospital: name }));
    }
  }
});

type Data = Route.ComponentProps["loaderData"];
type Result = NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined;

export default function AdminHospital({ loaderData, actionData }: Route.ComponentProps) {
  const { hospital: h, proven, unsent } = loaderData;
  const result = actionData?.result ?? unsent ?? undefined;
  const invited = result?.initialValue?.intent === "invite";
  const [refused] = useNadiForm({ id: "refused", lastResult: invited ? null : (result ?? null) });
  const live = h.status === "active" || h.status === "pending";
  return (
    <Page wide title={h.name} back={{ to: `${href("/admin/hospitals")}?status=${h.status}`, label: m.admin_back_to_hospitals() }}>
      <p className="mb-3">
        <HospitalBadge status={h.status} />
      </p>
      <ErrorSummary form={refused} />
      {h.status === "refused" && <Note tone="warn">{m.admin_hospital_refused_note()}</Note>}
      {h.status === "merged" && h.mergedInto && (
        <Note>
          <p>{m.admin_hospital_merged_into({ hospital: h.mergedIntoName ?? "" })}</p>
          <p>
            <AnyLink to={href("/admin/hospitals/:id", { id: h.mergedInto })}>{m.admin_hospital_open()}</AnyLink>
          </p>
        </Note>
      )}
      <TwoColumns className="mt-4">
        <div>
          <HospitalFacts hospital={h} live={live} />
          <Reviewers hospital={h} live={live} />
        </div>
        {live && (
          <div>
            {h.status === "pending" && <Decide {...loaderData} />}
            <Invite key={h.invitations.length} primary={h.status !== "pending"} proven={proven} result={invited ? result : undefined} />
            {h.status === "active" && (
              <p className="mt-7">
                <LinkButton to={href("/admin/hospitals/:id/owners", { id: h.id })} variant="second" full>
                  {m.clinic_owners()}
                </LinkButton>
              </p>
            )}
            {h.status === "active" && (
              <p className="mt-7">
                <LinkButton to={`${href("/admin/announcements/new")}?hospital=${h.id}`} variant="second" full icon="bell">
                  {m.announce_to_place()}
                </LinkButton>
              </p>
            )}
            {h.status === "active" && (
              <p className="mt-7">
                <LinkButton to={href("/admin/hospitals/:id/merge", { id: h.id })} variant="quiet" full>
                  {m.admin_merge()}
                </LinkButton>
              </p>
            )}
          </div>
        )}
      </TwoColumns>
    </Page>
  );
}

function HospitalFacts({ hospital: h, live }: { hospital: Data["hospital"]; live: boolean }) {
  const doctors = ADMIN_STATUSES.flatMap((status) => (h.doctors[status] ? [`${statusWord(status)}: ${h.doctors[status]}`] : []));
  return (
    <section className="card mt-7" aria-labelledby="h-facts">
      <SectionHead>
        <h2 id="h-facts">{m.admin_hospital_facts()}</h2>
        {live && <AnyLink to={href("/admin/hospitals/:id/edit", { id: h.id })}>{m.admin_hospital_edit()}</AnyLink>}
      </SectionHead>
      <Facts
        items={[
          [m.admin_hospital_category(), hospitalKindWord(h.category)],
          [m.admin_hospital_address(), h.address],
          [m.admin_hospital_area(), h.area],
          [m.admin_hospital_city(), [h.city, h.state, h.pinCode].filter(Boolean).join(", ")],
          [m.admin_hospital_phone(), h.phone && formatPhone(h.phone)],
          [m.admin_hospital_email(), h.email],
          [m.admin_hospital_hours(), h.workingHours],
          [m.admin_hospital_about(), h.about],
          [
            m.admin_hospital_proposed(),
            h.proposedBy && (
              <AnyLink key="p" to={href("/admin/doctors/:id", { id: h.proposedBy })}>
                {h.proposedByName || m.cases_unnamed()}
              </AnyLink>
            ),
          ],
          [m.admin_hospital_doctors(), doctors.length ? doctors.join(" · ") : m.admin_hospital_doctors_none()],
        ]}
      />{" "}
      {h.isDemo && <Badge className="mt-2">{m.ui_demo()}</Badge>}
    </section>
  );
}

function Reviewers({ hospital: h, live }: { hospital: Data["hospital"]; live: boolean }) {
  const nameOf = (r: { name: string | null; email: string | null }) => r.name || r.email || m.admin_role_reviewer();
  return (
    <section className="card mt-7" aria-labelledby="h-reviewers">
      <h2 id="h-reviewers">{m.admin_reviewers()}</h2>
      <p className="text-sm text-ink-soft">{m.admin_reviewers_text()}</p>
      {h.reviewers.length ? (
        <DividedList>
          {h.reviewers.map((r) => (
            <li key={r.id} className="row flex-wrap">
              <div className="grow">
                <AnyLink to={href("/admin/users/:id", { id: r.id })}>{nameOf(r)}</AnyLink>
                <p className="text-sm text-ink-soft">
                  {r.email} · {m.admin_reviewer_since({ date: formatDate(todayInIndia(r.since)) })}
                </p>
                {r.status === "disabled" && (
                  <Badge tone="bad" icon="lock">
                    {m.admin_reviewer_closed()}
                  </Badge>
                )}
              </div>
              <LinkButton
                to={href("/admin/hospitals/:id/reviewers/:userId/remove", { id: h.id, userId: r.id })}
                variant="quiet"
                size="sm"
                aria-label={m.admin_reviewer_remove_of({ name: nameOf(r) })}
              >
                {m.admin_reviewer_remove()}
              </LinkButton>
            </li>
          ))}
        </DividedList>
      ) : (
        <p className="mt-2">{m.admin_reviewers_empty()}</p>
      )}
      {live && h.invitations.length > 0 && (
        <>
          <h3 className="mt-4">{m.admin_invitations()}</h3>
          <DividedList>
            {h.invitations.map((i) => (
              <Invitation key={i.email} {...i} />
            ))}
          </DividedList>
        </>
      )}
    </section>
  );
}

function Invitation({ email, name, expiresAt }: Data["hospital"]["invitations"][number]) {
  const [form] = useNadiForm({ id: `take-back-${email}` });
  return (
    <li className="row flex-wrap">
      <div className="grow">
        {name && <p>{name}</p>}
        <p>{email}</p>
        <p className="text-sm text-ink-soft">{m.admin_invitation_until({ date: formatInstant(expiresAt) })}</p>
      </div>
      <Form form={form}>
        <input type="hidden" name="email" value={email} />
        <SubmitButton name="intent" value="take-back" variant="quiet" size="sm" aria-label={m.admin_invite_withdraw_of({ email })}>
          {m.admin_invite_withdraw()}
        </SubmitButton>
      </Form>
    </li>
  );
}

/** Confirms, merges or refuses a hospital that a doctor entered. */
function Decide({ hospital: h, alike }: Data) {
  const [form] = useNadiForm({ id: "confirm" });
  return (
    <section className="card mt-7" aria-labelledby="h-decide">
      <h2 id="h-decide">{m.admin_hospital_decide()}</h2>
      <p className="text-sm text-ink-soft">{m.admin_hospital_decide_text()}</p>
      {alike.length > 0 && (
        <>
          <p className="mt-2">{m.admin_hospital_alike()}</p>
          <DividedList>
            {alike.map((other) => (
              <li key={other.id}>
                <AnyLink to={`${href("/admin/hospitals/:id/merge", { id: h.id })}?into=${other.id}`}>{other.name}</AnyLink>
                <p className="text-sm text-ink-soft">{other.address}</p>
              </li>
            ))}
          </DividedList>
        </>
      )}
      <Form form={form} className="mt-4 grid gap-2.5">
        <SubmitButton name="intent" value="confirm" full pendingText={m.admin_confirming()}>
          {m.admin_confirm()}
        </SubmitButton>
        <LinkButton to={href("/admin/hospitals/:id/merge", { id: h.id })} variant="second" full>
          {m.admin_merge()}
        </LinkButton>
        <LinkButton to={href("/admin/hospitals/:id/refuse", { id: h.id })} variant="danger" full>
          {m.admin_refuse()}
        </LinkButton>
      </Form>
    </section>
  );
}

function Invite({ primary, proven, result }: { primary: boolean; proven: boolean; result: Result }) {
  const [form, fields] = useNadiForm<{ email: string; name: string; language: string }>({
    id: "invite",
    lastResult: result ?? null,
    defaultValue: { language: language() },
  });
  return (
    <section className="card mt-7" aria-labelledby="h-invite">
      <h2 id="h-invite">{m.admin_invite_title()}</h2>
      <p className="text-sm text-ink-soft mb-3">{m.admin_invite_text()}</p>
      {!proven && <ConfirmFirst />}
      {proven && (
        <Form form={form}>
          <TextField
            field={fields.email}
            label={m.admin_invite_email()}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_EMAIL}
          />
          <TextField field={fields.name} label={m.admin_invite_name()} optional autoComplete="off" maxLength={MAX_LINE} />
          <SelectField
            field={fields.language}
            label={m.admin_invite_language()}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: value }))}
          />
          <SubmitButton
            name="intent"
            value="invite"
            full
            className="mt-3"
            {...(primary ? {} : { variant: "second" as const })}
            pendingText={m.admin_invite_sending()}
          >
            {m.admin_invite_button()}
          </SubmitButton>
        </Form>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData?.hospital.name ?? m.admin_hospitals_title() }) },
];
