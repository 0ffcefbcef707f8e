import { Form, href } from "react-router";
import { relationWord } from "#app/domains/patients/family/family.ts";
import { patientLink, Timeline } from "#app/domains/visit/records/components/timeline.tsx";
import { findPerson, isOwnPerson, listPeople } from "#app/domains/visit/records/people.server.ts";
import { readTimeline } from "#app/domains/visit/records/timeline.server.ts";
import {
  filterTimeline,
  RECORD_KINDS,
  type RecordKind,
  type RecordPerson,
  type TimelineEntry,
} from "#app/domains/visit/records/timeline.ts";
import { shareLink } from "#app/domains/visit/sharing/components/share-link.ts";
import { listAllowedDoctors } from "#app/domains/visit/sharing/permissions.server.ts";
import { countOpenShares } from "#app/domains/visit/sharing/shares.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Card, GoLink } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/timeline.ts";

const PAGE = 20;
/** Characters of a search that are read. */
const LONGEST_SEARCH = 100;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const query = new URL(request.url).searchParams;
  const people = await listPeople(ctx, ctx.actor.userId);
  const person = await orRefuse(async () => {
    const found = findPerson(people, query.get("for"));
    if (!found) throw new DomainError("not-found");
    return found;
  });
  const q = (query.get("q") ?? "").trim().slice(0, LONGEST_SEARCH);
  const kind = RECORD_KINDS.find((one) => one === query.get("kind")) ?? null;
  const page = Number(/^[1-9]\d{0,3}$/.exec(query.get("page") ?? "")?.[0] ?? 1);
  const [all, allowed, links] = await Promise.all([
    readTimeline(ctx, { patientId: ctx.actor.userId, person }),
    listAllowedDoctors(ctx, person),
    countOpenShares(ctx, person),
  ]);
  const found = filterTimeline(all, { q, kind });
  const entries: TimelineEntry[] = found.slice((page - 1) * PAGE, page * PAGE).map(({ words: _, ...entry }) => entry);
  return {
    ...{ q, kind, page, entries, allowed, links },
    hasMore: found.length > page * PAGE,
    isEmpty: all.length === 0,
    person: person.id,
    canAdd: isOwnPerson(person),
    people: people.map((one) => ({ id: one.id, label: calledBy(one) })),
  };
});

/** Returns "Ravi, son". */
function calledBy({ id, name, relation }: RecordPerson): string {
  if (id === "me") return name || m.records_me();
  return relation ? m.records_relative({ name, relation: relationWord(relation) }) : name;
}

const KIND: Record<RecordKind, () => string> = {
  visits: () => m.records_visits(),
  prescriptions: () => m.records_prescriptions(),
  documents: () => m.records_documents(),
  receipts: () => m.records_receipts(),
};

/** Returns "You and Dr. Rao can see this", or "You and 2 doctors can see this". */
function seenBy(entry: TimelineEntry, allowed: { id: string; name: string }[]): string {
  if (entry.kind === "receipt" || (entry.kind === "document" && !entry.open)) return m.records_only_you();
  const reader = entry.doctor ?? (entry.kind === "document" ? entry.reader : null);
  const doctors = new Map([...allowed, ...(reader ? [reader] : [])].map(({ id, name }) => [id, name]));
  const [doctor] = doctors.values();
  if (doctor === undefined) return m.records_only_you();
  return doctors.size === 1 ? m.records_seen_by({ doctor }) : m.records_seen_by_more({ count: doctors.size });
}

type Data = Route.ComponentProps["loaderData"];

/** The medical records of the patient and of each family member. */
export default function Records({ loaderData }: Route.ComponentProps) {
  const { people, person, q, kind, page, entries, allowed, links, hasMore, isEmpty, canAdd } = loaderData;
  const address = (more: Record<string, string>) => {
    const query = new URLSearchParams({ ...(person !== "me" && { for: person }), ...more });
    return `${href("/patient/records")}${query.size ? `?${query}` : ""}`;
  };
  const filtered = { ...(q && { q }), ...(kind && { kind }) };
  const add = <AddRecord person={person} canAdd={canAdd} />;
  return (
    <Page title={m.records_title()} back={{ to: href("/patient/profile") }}>
      {people.length > 1 && (
        <Tabs
          label={m.records_whose()}
          tabs={people.map(({ id, label }) => ({
            to: id === "me" ? href("/patient/records") : `${href("/patient/records")}?for=${id}`,
            label,
            current: id === person,
          }))}
        />
      )}
      {isEmpty ? (
        <EmptyState drawing="records" title={m.records_none()} action={add}>
          {m.records_none_text()}
        </EmptyState>
      ) : (
        <>
          <WhoSees person={person} allowed={allowed} links={links} />
          <p className="flex flex-wrap gap-2 mt-3 *:flex-[1_1_0] *:w-auto [&>select]:basis-40 [&>select]:min-w-0 [&>select]:max-w-full [&>button]:grow-0">
            {add}
            <LinkButton to={href("/patient/data/download")} variant="second" icon="download" full>
              {m.records_download()}
            </LinkButton>
          </p>
          <Search key={`${person} ${q} ${kind}`} person={person} q={q} kind={kind} />
          {entries.length === 0 ? (
            <NothingFound all={address({})} />
          ) : (
            <Timeline
              entries={entries}
              links={{
                to: patientLink,
                remove: (id) => href("/patient/records/:id/remove", { id }),
                share: shareLink,
                result: (id) => `${href("/patient/records/add")}?order=${id}`,
                seenBy: (entry) => seenBy(entry, allowed),
              }}
            />
          )}
          <Pages page={page} hasMore={hasMore} to={(n) => address({ ...filtered, page: String(n) })} />
        </>
      )}
    </Page>
  );
}

const AddRecord = ({ person, canAdd }: Pick<Data, "person" | "canAdd">) => (
  <LinkButton to={`${href("/patient/records/add")}${canAdd && person !== "me" ? `?for=${person}` : ""}`} icon="upload" full>
    {m.records_add()}
  </LinkButton>
);

const NothingFound = ({ all }: { all: string }) => (
  <EmptyState
    drawing="records"
    title={m.records_not_found()}
    action={
      <LinkButton to={all} variant="second">
        {m.records_show_all()}
      </LinkButton>
    }
  >
    {m.records_not_found_text()}
  </EmptyState>
);

const WhoSees = ({ person, allowed, links }: Pick<Data, "person" | "allowed" | "links">) => (
  <Card as="div" className="mt-7">
    <p className="row">
      <Icon name="eye" />
      <span className="grow">
        <b>
          <GoLink to={`${href("/patient/records/access")}${person === "me" ? "" : `?for=${person}`}`}>{m.sharing_title()}</GoLink>
        </b>
        <br />
        <span className="text-sm text-ink-soft">
          {[
            allowed.length ? m.sharing_doctors({ count: allowed.length }) : m.sharing_doctors_none(),
            links > 0 && m.sharing_links({ count: links }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <Icon name="chevron-right" />
    </p>
  </Card>
);

const Search = ({ person, q, kind }: Pick<Data, "person" | "q" | "kind">) => (
  <Form role="search" action={href("/patient/records")} className="mt-7">
    {person !== "me" && <input type="hidden" name="for" value={person} />}
    <div className="search">
      <label className="sr-only" htmlFor="q">
        {m.records_search()}
      </label>
      <Icon name="search" />
      <input
        className="input"
        id="q"
        name="q"
        type="search"
        defaultValue={q}
        maxLength={LONGEST_SEARCH}
        placeholder={m.records_search_hint()}
      />
    </div>
    <div className="flex flex-wrap gap-2 mt-3 *:flex-[1_1_0] *:w-auto [&>select]:basis-40 [&>select]:min-w-0 [&>select]:max-w-full [&>button]:grow-0">
      <label className="sr-only" htmlFor="kind">
        {m.records_show()}
      </label>
      <select className="input" id="kind" name="kind" defaultValue={kind ?? ""}>
        <option value="">{m.records_all()}</option>
        {RECORD_KINDS.map((one) => (
          <option key={one} value={one}>
            {KIND[one]()}
          </option>
        ))}
      </select>
      <Button type="submit" variant="second">
        {m.records_search_button()}
      </Button>
    </div>
  </Form>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.records_title() }) }];
