import { href } from "react-router";
import { relationWord } from "#app/domains/patients/family/family.ts";
import { findPerson, listPeople } from "#app/domains/visit/records/people.server.ts";
import { ShareList } from "#app/domains/visit/sharing/components/share-list.tsx";
import { permissionFormOn } from "#app/domains/visit/sharing/permission.schema.ts";
import { MOST_DAYS, type ShownPermission, USUAL_DAYS } from "#app/domains/visit/sharing/permission.ts";
import { allowRecords, endPermission, listDoctorsToAllow, listPermissions } from "#app/domains/visit/sharing/permissions.server.ts";
import { endShare, listShares } from "#app/domains/visit/sharing/shares.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { addDays, formatDate, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Card, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/access.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const people = await listPeople(ctx, ctx.actor.userId);
  const person = findPerson(people, new URL(request.url).searchParams.get("for"));
  if (!person) throw new DomainError("not-found");
  const [permissions, doctors, shares] = await Promise.all([
    listPermissions(ctx, person),
    listDoctorsToAllow(ctx),
    listShares(ctx, person),
  ]);
  const today = todayInIndia(ctx.now);
  return {
    ...{ permissions, doctors, shares, today },
    usual: addDays(today, USUAL_DAYS),
    person: { id: person.id, name: person.name || m.records_me() },
    people: people.map(({ id, name, relation }) => ({
      id,
      label: relation ? m.records_relative({ name, relation: relationWord(relation) }) : name || m.records_me(),
    })),
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const person = new URL(request.url).searchParams.get("for") ?? "me";
  return submitForm(request, permissionFormOn(todayInIndia(ctx.now)), async (input) => {
    if (input.intent === "allow") {
      await allowRecords(ctx, { person, doctorId: input.doctor, until: input.until });
      return redirectWithToast(addressOf(person), m.sharing_allowed_toast());
    }
    await (input.intent === "end" ? endPermission : endShare)(ctx, input.id);
    return redirectWithToast(addressOf(person), input.intent === "end" ? m.sharing_ended_toast() : m.shares_ended_toast());
  });
}

const addressOf = (person: string) => `${href("/patient/records/access")}${person === "me" ? "" : `?for=${encodeURIComponent(person)}`}`;

type Fields = { doctor: string; until: string };

/** Which doctors may see all records of a person, with an end at once, and the form that allows one. */
type Data = Route.ComponentProps["loaderData"];

export default function Access({ loaderData, actionData }: Route.ComponentProps) {
  const { people, person, permissions, doctors, shares, today, usual } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "allow", lastResult: actionData?.result, defaultValue: { until: usual } });
  const live = permissions.filter(({ endedOn }) => endedOn === null);
  const ended = permissions.filter(({ endedOn }) => endedOn !== null);
  const records = `${href("/patient/records")}${person.id === "me" ? "" : `?for=${person.id}`}`;
  return (
    <Page title={m.sharing_title()} back={{ to: records, label: m.records_title() }}>
      {people.length > 1 && (
        <Tabs label={m.records_whose()} tabs={people.map(({ id, label }) => ({ to: addressOf(id), label, current: id === person.id }))} />
      )}
      <p className="mt-7">{m.sharing_intro({ name: person.name })}</p>
      {live.length > 0 && <Allowed live={live} />}
      <section className="mt-7 card" aria-labelledby="h-allow">
        <h2 id="h-allow" className="mb-3">
          {m.sharing_allow_title()}
        </h2>
        {doctors.length === 0 ? (
          <Note>{m.sharing_no_doctor()}</Note>
        ) : (
          <Form form={form}>
            <input type="hidden" name="intent" value="allow" />
            <SelectField
              field={fields.doctor}
              label={m.sharing_doctor()}
              options={[{ value: "", label: m.sharing_doctor_choose() }, ...doctors.map(({ id, name }) => ({ value: id, label: name }))]}
            />
            <TextField
              field={fields.until}
              label={m.sharing_until()}
              hint={m.sharing_until_hint()}
              type="date"
              min={today}
              max={addDays(today, MOST_DAYS)}
              required
            />
            <SubmitButton full>{m.sharing_allow()}</SubmitButton>
          </Form>
        )}
      </section>
      <ShareList shares={shares} intent="end-link" />
      {ended.length > 0 && <Ended ended={ended} />}
      <p className="mt-7">
        <LinkButton to={href("/patient/data/opened")} variant="second" icon="eye" full>
          {m.sharing_log()}
        </LinkButton>
      </p>
    </Page>
  );
}

const Allowed = ({ live }: { live: Data["permissions"] }) => (
  <section className="mt-7" aria-labelledby="h-allowed">
    <h2 id="h-allowed" className="mb-3">
      {m.sharing_allowed()}
    </h2>
    <ul className="space-y-4">
      {live.map((permission) => (
        <Permission key={permission.id} permission={permission} />
      ))}
    </ul>
  </section>
);

const Ended = ({ ended }: { ended: Data["permissions"] }) => (
  <section className="mt-7" aria-labelledby="h-ended">
    <h2 id="h-ended" className="mb-3">
      {m.sharing_ended()}
    </h2>
    <ul className="space-y-4">
      {ended.map((permission) => (
        <Card as="li" key={permission.id}>
          <h3>{permission.doctor}</h3>
          <p className="text-ink-soft">{m.sharing_ended_on({ date: formatDate(permission.endedOn ?? permission.until) })}</p>
          <p className="text-sm text-ink-soft">{openedWord(permission)}</p>
        </Card>
      ))}
    </ul>
  </section>
);

/** Returns "Opened 3 times, last 23 Nov 2026, 10:30 AM". */
const openedWord = ({ opened, lastOpenedAt }: ShownPermission) =>
  lastOpenedAt === null ? m.sharing_opened_none() : m.sharing_opened({ count: opened, at: formatInstant(lastOpenedAt) });

/** A doctor who may see the records, with the button that ends it. */
function Permission({ permission }: { permission: ShownPermission }) {
  const { id, doctor, until } = permission;
  const [form] = useNadiForm({ id: `end-${id}` });
  return (
    <Card as="li">
      <h3>{doctor}</h3>
      <p>{m.sharing_until_day({ date: formatDate(until) })}</p>
      <p className="text-sm text-ink-soft">{openedWord(permission)}</p>
      <Form form={form} className="mt-2">
        <input type="hidden" name="id" value={id} />
        <SubmitButton name="intent" value="end" variant="danger" aria-label={m.sharing_end_of({ doctor })}>
          {m.sharing_end()}
        </SubmitButton>
      </Form>
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.sharing_title() }) }];
