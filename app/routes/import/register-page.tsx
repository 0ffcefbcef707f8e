import { listAddress } from "#app/http/list-state.ts";
import { ageWord } from "#app/lib/age.ts";
import { shownCount } from "#app/lib/numbers.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Cell, type Data, Row, Table, Titled } from "./import-parts.tsx";
import type { loadRegister } from "./moving.server.ts";

/** The patients whom the clinic brought. */
export function Register({ data }: { data: Data<typeof loadRegister> }) {
  const { rows, search, page, hasMore, total, name, paths } = data;
  const here = paths.register;
  return (
    <Page wide title={<Titled title={m.import_register_title()} name={name} />} back={{ to: paths.home }}>
      <Finder
        action={here}
        label={m.import_register_search()}
        placeholder={m.import_register_search()}
        text={search}
        button={m.appointments_search_do()}
        clear={{ to: here, label: m.appointments_search_clear() }}
      />
      {rows.length > 0 ? (
        <>
          <p className="text-sm text-ink-soft">{m.import_register_count(shownCount(total))}</p>
          <Table head={[m.import_field_name(), m.import_field_phone(), m.import_field_number()]}>
            {rows.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <AnyLink to={`${here}/${row.id}`} className="font-bold wrap-anywhere">
                    {row.name}
                  </AnyLink>
                  <span className="block text-sm text-ink-soft">{row.age && ageWord(row.age)}</span>
                </Cell>
                <Cell className="num">{row.phone && <a href={`tel:${row.phone}`}>{formatPhone(row.phone)}</a>}</Cell>
                <Cell className="tabular-nums wrap-anywhere">{row.number}</Cell>
              </Row>
            ))}
          </Table>
        </>
      ) : (
        <EmptyState
          drawing={search ? "nothing-found" : "no-appointments"}
          title={search ? m.import_register_no_match({ text: search }) : m.import_register_none()}
        >
          {search ? m.import_register_no_match_text() : m.import_register_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(n) => listAddress(here, { q: search, page: n })} />
    </Page>
  );
}
