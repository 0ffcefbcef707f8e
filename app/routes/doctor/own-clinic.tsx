import type { ReactNode } from "react";
import { href } from "react-router";
import { CityAndState } from "#app/domains/clinic/practices/components/city-and-state.tsx";
import { getOwnClinic, openClinic, ownEnteredClinic } from "#app/domains/clinic/practices/open-clinic.server.ts";
import { OpenClinicSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getOwnProfile } from "#app/domains/credentials/profile-changes/own-profile.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { submitGuardedForm, unsentForm } from "#app/http/proof.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { formatDayShort, todayInIndia } from "#app/lib/dates.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Note, Optional } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/own-clinic.ts";

const HERE = href("/doctor/clinic");

export const loader = loadOwn(async (ctx, { context, request }: Route.LoaderArgs) => {
  const own = await getOwnClinic(ctx);
  if (own) return { own, profile: null, unsent: null };
  const { city, state, fee } = await getOwnProfile(ctx);
  return { own, profile: { city, state, fee: fee === null ? "" : String(fee / 100) }, unsent: await unsentForm({ context, request }) };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  if (new URL(request.url).searchParams.has("own")) {
    await orRefuse(() => ownEnteredClinic(ctx));
    return redirectTo(HERE);
  }
  return submitGuardedForm({ context, request }, OpenClinicSchema, async (input) => {
    await openClinic(ctx, input);
    return redirectTo(HERE);
  });
}

type Data = Route.ComponentProps["loaderData"];

/** The doctor's own clinic, or the form that opens it. */
export default function OwnClinic({ loaderData: { own, profile, unsent }, actionData }: Route.ComponentProps) {
  return (
    <Page title={own ? own.name : m.practices_own_open()} back={{ to: href("/doctor/profile"), label: m.ui_place_profile() }}>
      {own ? own.isOwned ? <Opened own={own} /> : <Entered own={own} /> : <Open profile={profile} result={actionData?.result ?? unsent} />}
    </Page>
  );
}

type Fields = Record<"name" | "address" | "area" | "city" | "state" | "pinCode" | "phone" | "fee" | "receptionist" | "email", string>;
const PAIR = "field mt-5 grid grid-cols-1 gap-x-4 gap-y-3 tab:grid-cols-2";

function Open({ profile, result }: { profile: Data["profile"]; result: Parameters<typeof useNadiForm>[0]["lastResult"] }) {
  const [form, fields] = useNadiForm<Fields>({ id: "own-clinic", lastResult: result, defaultValue: profile ?? {} });
  return (
    <Form form={form}>
      <p className="text-ink-soft">{m.practices_own_text()}</p>
      <section className="card mt-4" aria-labelledby="h-clinic">
        <h2 id="h-clinic" className="mb-3">
          {m.practices_own_your()}
        </h2>
        <TextField field={fields.name} label={m.practices_own_name()} autoComplete="organization" maxLength={200} required />
        <TextField field={fields.address} label={m.practices_own_street()} autoComplete="address-line1" maxLength={400} required />
        <div className={PAIR}>
          <TextField field={fields.area} label={m.admin_hospital_area()} maxLength={80} />
          <TextField field={fields.pinCode} label={m.admin_hospital_pin()} inputMode="numeric" autoComplete="postal-code" maxLength={8} />
        </div>
        <div className={PAIR}>
          <CityAndState city={fields.city} state={fields.state} />
        </div>
        <TextField field={fields.phone} label={m.practices_own_phone()} type="tel" inputMode="tel" maxLength={30} required />
        <TextField field={fields.fee} label={m.practices_own_fee()} inputMode="numeric" maxLength={12} />
      </section>
      <section className="card mt-4" aria-labelledby="h-invite">
        <h2 id="h-invite">
          {m.practices_own_invite()} <Optional />
        </h2>
        <p className="mb-3 text-sm text-ink-soft">{m.practices_own_invite_text()}</p>
        <TextField field={fields.receptionist} label={m.admin_invite_name()} autoComplete="off" maxLength={MAX_LINE} />
        <TextField
          field={fields.email}
          label={m.accounts_email_label()}
          type="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_EMAIL}
        />
      </section>
      <SubmitButton size="lg" full className="mt-4">
        {m.practices_own_submit()}
      </SubmitButton>
      <p className="mt-2 text-center text-sm text-ink-soft">{m.practices_own_next()}</p>
    </Form>
  );
}

type Own = NonNullable<Data["own"]>;
const addressOf = ({ address, area, city, pinCode }: Own) =>
  [address, area, [city, pinCode].filter(Boolean).join(" ")].filter(Boolean).join(", ");

/** A clinic from the application: one press makes the doctor its owner. */
function Entered({ own }: { own: Own }) {
  const [form] = useNadiForm({ id: "own-entered" });
  return (
    <section className="card">
      <p className="text-ink-soft">{addressOf(own)}</p>
      <p className="my-3">{m.practices_own_entered()}</p>
      <Form form={form} action={`${HERE}?own`}>
        <SubmitButton size="lg" full>
          {m.practices_own_yes()}
        </SubmitButton>
      </Form>
    </section>
  );
}

/** What an open clinic has, and what comes next. */
function Opened({ own }: { own: Own }) {
  const { id, practice, invited } = own;
  return (
    <>
      <Note tone="ok" role="status">
        <p>
          <b>{m.practices_own_opened()}</b>
        </p>
        <p>{practice?.hasHours ? m.practices_own_bookable() : m.practices_own_no_hours()}</p>
      </Note>
      <LinkButton
        to={practice ? href("/doctor/practices/:id/hours", { id: practice.id }) : href("/doctor/practices")}
        {...(practice?.hasHours && { variant: "second" as const })}
        size="lg"
        full
        iconEnd="arrow-right"
        className="mt-4"
      >
        {m.practices_own_hours()}
      </LinkButton>
      <DividedList className="card mt-4">
        <Row icon="house" title={m.practices_own_clinic()} to={href("/clinic/:id", { id })} link={m.practices_own_show()}>
          {addressOf(own)}
        </Row>
        {invited.map(({ id: memberId, name, email, expiresAt }) => (
          <Row
            key={memberId}
            icon="hourglass"
            title={m.practices_own_invited({ name: name || email || "" })}
            to={href("/clinic/:id/staff/:memberId", { id, memberId })}
            link={m.practices_own_again()}
          >
            {m.practices_own_invited_text({ email: email ?? "", day: formatDayShort(todayInIndia(expiresAt ?? new Date(0))) })}
          </Row>
        ))}
        <Row icon="users" title={m.practices_own_invite()} to={href("/clinic/:id/invite", { id })} link={m.practices_own_invite_link()}>
          {m.practices_own_invite_text()}
        </Row>
        <Row icon="upload" title={m.practices_own_bring()} to={href("/clinic/:id/import", { id })} link={m.practices_own_import()}>
          {m.practices_own_bring_text()}
        </Row>
        <Row
          icon="file-text"
          title={m.practices_own_poster()}
          to={href("/clinic/:id/screen/poster", { id })}
          link={m.practices_own_print()}
        >
          {m.practices_own_poster_text()}
        </Row>
      </DividedList>
    </>
  );
}

const Row = ({ icon, title, to, link, children }: { icon: IconName; title: string; to: string; link: string; children: ReactNode }) => (
  <li className="flex items-center gap-3.5">
    <Icon name={icon} />
    <div className="grow">
      <p>
        <b>{title}</b>
      </p>
      <p className="text-sm text-ink-soft">{children}</p>
    </div>
    <AnyLink to={to} className="flex min-h-target items-center text-sm font-bold" aria-label={`${link}: ${title}`}>
      {link}
    </AnyLink>
  </li>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_own() }) }];
