import { href } from "react-router";
import { calledNames, factsWord } from "#app/domains/patients/family/family.ts";
import { listFamily } from "#app/domains/patients/family/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, Disc } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/family.ts";

export const loader = loadOwn(async (ctx) => ({ family: await listFamily(ctx) }));

export default function Family({ loaderData }: Route.ComponentProps) {
  const { family } = loaderData;
  const called = new Map(calledNames(family).map(({ id, name }) => [id, name]));
  const add = (
    <LinkButton to={href("/patient/family/add")} icon="plus" full>
      {m.family_add()}
    </LinkButton>
  );
  return (
    <Page wide title={m.family_title()} back={{ to: href("/patient/profile") }}>
      {family.length === 0 ? (
        <EmptyState drawing="no-family" title={m.family_none()} action={add}>
          {m.family_none_text()}
        </EmptyState>
      ) : (
        <>
          <p className="text-ink-soft mb-3">{m.family_intro()}</p>
          <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {family.map((person) => (
              <Card as="li" key={person.id}>
                <div className="row">
                  <Disc id={person.id} name={person.name} />
                  <div className="grow">
                    <h2 className="h3">{person.name}</h2>
                    <p className="text-ink-soft">{factsWord(person)}</p>
                    {person.bloodGroup && <p className="text-sm text-ink-soft">{m.family_facts_blood({ group: person.bloodGroup })}</p>}
                  </div>
                </div>
                <div className="row flex-wrap mt-2">
                  <LinkButton
                    to={href("/patient/family/:id", { id: person.id })}
                    variant="second"
                    size="sm"
                    icon="pencil"
                    aria-label={m.family_edit_of({ name: called.get(person.id) ?? person.name })}
                  >
                    {m.family_edit()}
                  </LinkButton>
                  <LinkButton
                    to={href("/patient/family/:id/remove", { id: person.id })}
                    variant="quiet"
                    size="sm"
                    icon="trash-2"
                    aria-label={m.family_remove_of({ name: called.get(person.id) ?? person.name })}
                  >
                    {m.family_remove()}
                  </LinkButton>
                </div>
              </Card>
            ))}
          </ul>
          <p className="mt-7 max-w-96">{add}</p>
        </>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.family_title() }) }];
