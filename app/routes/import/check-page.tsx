/** Step 3 of an import: the groups of rows, with the decisions. */

import { differencesOf } from "#app/domains/clinic/imports/match.ts";
import type { ImportedStatus } from "#app/domains/clinic/imports/values.ts";
import {
  decidedWord,
  decisionsFor,
  decisionWord,
  fieldWord,
  groupWord,
  isAboutDoctor,
  noticeWord,
  pastStatusWord,
  problemWords,
  questionWord,
} from "#app/domains/clinic/imports/words.ts";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { listAddress } from "#app/http/list-state.ts";
import { ageFrom } from "#app/lib/age.ts";
import { type DateKey, formatDate, formatTime, type TimeKey } from "#app/lib/dates.ts";
import { formatCount, type ShownCount, shownCount } from "#app/lib/numbers.ts";
import { formatPhone, type Phone } from "#app/lib/phone.ts";
import type { Gender, RowGroup } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton } from "#app/ui/form.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Note, SectionHead } from "#app/ui/pieces.tsx";
import { Pages } from "#app/ui/states.tsx";
import { Cell, DockLine, Frame, type ImportData, OnPhone, Row, type StepProps, Table, WIDE_CARD } from "./import-parts.tsx";

const GROUP_ICONS: Record<RowGroup, IconName> = { new: "plus", here: "check", decision: "triangle-alert", unreadable: "circle-x" };
const HEADS: Record<RowGroup, (of: ShownCount) => string> = {
  new: (of) => m.import_head_new(of),
  here: (of) => m.import_head_here(of),
  decision: (of) => m.import_head_decision(of),
  unreadable: (of) => m.import_head_unreadable(of),
};

export function Check({ data, form, here, base }: StepProps) {
  const { groups, group, rows, undecided, ready, kind, page, hasMore } = data;
  const count = groups[group];
  const readyWord = (of: ShownCount) => (kind === "patients" ? m.import_ready_patients(of) : m.import_ready_appointments(of));
  return (
    <Frame kind={data.kind} name={data.name} back={`${here}?columns`} step={2}>
      <Form form={form}>
        <div className="space-y-5">
          <Groups groups={groups} group={group} here={here} />
          <section className={WIDE_CARD} aria-labelledby="h-rows">
            <SectionHead>
              <h2 id="h-rows">{HEADS[group](shownCount(count))}</h2>
              <AnyLink to={`${here}/rows.csv${group === "unreadable" ? "?group=unreadable" : ""}`}>
                {group === "unreadable" ? m.import_these_csv() : m.import_rows_csv()}
              </AnyLink>
            </SectionHead>
            {group === "unreadable" && count > 0 && <p className="mt-2">{m.import_unreadable_text(shownCount(count))}</p>}
            {group === "here" && count > 0 && <p className="mt-2">{m.import_here_text(shownCount(count))}</p>}
            {group === "decision" && count > 0 && (
              <p className="mt-1 text-sm text-ink-soft">
                {m.import_decided({ decided: formatCount(count - undecided), count: formatCount(count) })}
              </p>
            )}
            {group === "decision" && count > 0 && <DecideAll asked={data.asked} doctors={data.doctors} />}
            {rows.length > 0 && <RowsTable group={group} rows={rows} today={data.today} mapping={data.mapping} doctors={data.doctors} />}
            {group === "decision" && count > 0 && <SaveDecisions page={page} hasMore={hasMore} />}
            <Pages
              page={page}
              hasMore={hasMore}
              to={(n) => listAddress(here, { group, page: n })}
              of={{ rows: rows.length, total: count }}
            />
          </section>
          {undecided > 0 && <Undecided undecided={undecided} />}
          <p className="row flex-wrap">
            <LinkButton to={`${here}?columns`} variant="quiet" size="sm">
              {m.import_back_to_columns()}
            </LinkButton>
            <SubmitButton variant="quiet" size="sm" name="intent" value="discard">
              {m.import_discard()}
            </SubmitButton>
          </p>
        </div>
        <DockLine first={readyWord(shownCount(ready))}>
          {ready > 0 || undecided > 0 ? (
            <SubmitButton size="lg" name="intent" value="import">
              {m.import_import()}
            </SubmitButton>
          ) : (
            <LinkButton to={base} size="lg">
              {m.import_other_file()}
            </LinkButton>
          )}
        </DockLine>
      </Form>
    </Frame>
  );
}

const Undecided = ({ undecided }: Pick<ImportData, "undecided">) => (
  <Note tone="warn" icon="info">
    <p>
      <b>{m.import_undecided(shownCount(undecided))}</b> {m.import_undecided_text()}
    </p>
  </Note>
);

const Groups = ({ groups, group, here }: Pick<ImportData, "groups" | "group"> & Pick<StepProps, "here">) => (
  <nav className="grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3" aria-label={m.import_groups()}>
    {(Object.keys(GROUP_ICONS) as RowGroup[]).map((one) => (
      <AnyLink
        key={one}
        to={`${here}?group=${one}`}
        aria-current={one === group ? "page" : undefined}
        preventScrollReset
        className="block rounded-lg border-[1.5px] border-line-strong bg-card px-4 py-3 leading-snug text-inherit no-underline aria-[current]:border-brand aria-[current]:bg-brand-soft"
      >
        <b className="block text-2xl leading-tight tabular-nums">{formatCount(groups[one])}</b>
        <span className="inline-flex items-center gap-1.5 text-sm font-bold">
          <Icon name={GROUP_ICONS[one]} small />
          {groupWord(one)}
        </span>
      </AnyLink>
    ))}
  </nav>
);

const SaveDecisions = ({ page, hasMore }: Pick<ImportData, "page" | "hasMore">) => (
  <p className="row mt-4 flex-wrap justify-center">
    <input type="hidden" name="page" value={page} />
    <SubmitButton variant="second" size="sm" name="intent" value="decide">
      {m.import_save_decisions()}
    </SubmitButton>
    {hasMore && (
      <SubmitButton variant="second" size="sm" name="intent" value="decide-more">
        {m.import_show_more()}
      </SubmitButton>
    )}
  </p>
);

/** One decision for all rows of a question, or of a doctor's name. */
function DecideAll({ asked, doctors }: Pick<ImportData, "asked" | "doctors">) {
  const [only] = asked;
  return (
    <div className="mt-3 flex flex-wrap items-end gap-2 *:min-w-0">
      <label>
        <span className="label">{m.import_for_all()}</span>
        <select className="input" name="all" defaultValue="">
          <option value="">{m.import_one_by_one()}</option>
          {asked.length > 1 && <option value="leave-out">{m.import_decide_leave_out()}</option>}
          {asked.map(({ question, doctorName, count }) => {
            const of = isAboutDoctor(question) ? `${question}~${doctorName ?? ""}` : question;
            const options = choicesFor(question, doctors).map(([value, word]) => (
              <option key={value} value={`${value}~${of}`}>
                {word}
              </option>
            ));
            const about = question === "doctor-needed" ? m.import_to_come() : m.import_past();
            const label = `${doctorName ? `${doctorName}, ${about}` : questionWord(question)} (${formatCount(count)})`;
            return asked.length === 1 && only?.doctorName === null ? (
              options
            ) : (
              <optgroup key={of} label={label}>
                {options}
              </optgroup>
            );
          })}
        </select>
      </label>
      <SubmitButton variant="second" name="intent" value="decide-all">
        {m.import_apply_all()}
      </SubmitButton>
      {asked.some(({ question }) => decisionsFor(question).includes("same")) && (
        <p className="w-full text-sm text-ink-soft">{m.import_same_text()}</p>
      )}
    </div>
  );
}
/** The choices of a question: each doctor of the clinic is one. */
const choicesFor = (question: string | null, doctors: ImportData["doctors"]): [value: string, word: string][] =>
  decisionsFor(question).flatMap((one) =>
    one === "doctor" ? doctors.map(({ id, name }): [string, string] => [id, name]) : [[one, decisionWord(one, question)]],
  );

type ShownRow = ImportData["rows"][number];
const RowsTable = ({
  group,
  rows,
  today,
  mapping,
  doctors,
}: Pick<ImportData, "mapping" | "doctors"> & {
  group: RowGroup;
  rows: ShownRow[];
  today: DateKey;
}) => {
  const head = {
    new: [m.import_col_row(), m.import_col_file(), ...(rows.some(({ notices }) => notices.length) ? [m.import_col_why()] : [])],
    here: [m.import_col_row(), m.import_col_file(), m.import_col_like()],
    decision: [m.import_col_row(), m.import_col_file(), m.import_col_like(), m.import_col_ask(), m.import_col_decision()],
    unreadable: [m.import_col_row(), m.import_col_file(), m.import_col_why(), m.import_col_do()],
  }[group];
  return (
    <Table head={head}>
      {rows.map((row) => (
        <Row key={row.number}>
          <Cell className="num whitespace-nowrap">{m.import_row({ number: String(row.number) })}</Cell>
          <Cell>
            <OnPhone>{m.import_col_file()}</OnPhone>
            <FilePerson row={row} today={today} mapping={mapping} />
          </Cell>
          {group === "new" && head.length > 2 && <Cell className="text-sm">{row.notices.map(noticeWord).join(". ")}</Cell>}
          {(group === "here" || group === "decision") && (
            <Cell>
              <LikePerson like={row.like} today={today} />
            </Cell>
          )}
          {group === "decision" && (
            <>
              <Cell className="text-sm wrap-anywhere">
                {[questionWord(row.reason), isAboutDoctor(row.reason) && (row.values as { doctor: string | null }).doctor]
                  .filter(Boolean)
                  .join(": ")}
                <Different row={row} />
                {row.notices.length > 0 && <span className="block">{row.notices.map(noticeWord).join(". ")}</span>}
              </Cell>
              <Cell>
                <DecisionSelect row={row} doctors={doctors} />
              </Cell>
            </>
          )}
          {group === "unreadable" && (
            <>
              <Cell>{problemWords(row.reason)[0]}</Cell>
              <Cell className="text-sm text-ink-soft">{problemWords(row.reason)[1]}</Cell>
            </>
          )}
        </Row>
      ))}
    </Table>
  );
};
/** The doctor stays decided while the time is asked about. */
const chosenOf = ({ reason, decision, decidedDoctorId }: ShownRow) => (isAboutDoctor(reason) && decidedDoctorId) || decision || "";
const DecisionSelect = ({ row, doctors }: { row: ShownRow; doctors: ImportData["doctors"] }) => (
  <select
    // A decision for all rows shows here: the next button sends what is shown.
    key={`${row.reason} ${chosenOf(row)}`}
    className="input min-h-target text-base desktop:min-w-54"
    name={`r${row.number}`}
    defaultValue={chosenOf(row)}
    aria-label={m.import_decide_for({ number: String(row.number) })}
  >
    <option value="">{m.import_decide()}</option>
    {choicesFor(row.reason, doctors).map(([value, word]) => (
      <option key={value} value={value}>
        {value === row.decision ? decidedWord({ ...row, decision: row.decision }) : word}
      </option>
    ))}
  </select>
);
const Person = ({ name, rest }: { name: string; rest: string }) => (
  <>
    <b className="wrap-anywhere">{name}</b>
    <span className="block text-sm text-ink-soft tabular-nums wrap-anywhere">{rest}</span>
  </>
);
/** What identifies a person, the same of both that are compared. */
function factsOf(person: Facts, today: DateKey): string[] {
  const age = person.born && { ...ageFrom(person.born.date, today), ...(person.born.about && { about: true }) };
  return [
    person.phone && formatPhone(person.phone),
    ageAndSexWord(age ?? null, person.gender ?? null),
    person.born && !person.born.about && m.import_born({ date: formatDate(person.born.date) }),
    person.number,
    person.address,
  ].filter((fact) => !!fact) as string[];
}
type Facts = {
  phone?: Phone | null;
  born?: { date: DateKey; about: boolean } | null;
  gender?: Gender | null;
  number?: string | null;
  address?: string | null;
};
type ReadValues = Facts & { name?: string | null; date?: string; time?: TimeKey | null; doctor?: string | null; status?: ImportedStatus };
/** What the row says of its patient. */
function FilePerson({ row, today, mapping }: { row: ShownRow; today: DateKey; mapping: ImportData["mapping"] }) {
  const values = row.values as ReadValues | null;
  if (!values) {
    const at = mapping.indexOf("name");
    const rest = row.cells.filter((cell, i) => cell && i !== at && mapping[i]);
    return <Person name={row.cells[at] || m.import_empty_cell()} rest={rest.slice(0, 3).join(", ")} />;
  }
  const when = values.date && [formatDate(values.date), values.time && formatTime(values.time)].filter(Boolean).join(" ");
  const status = values.status && values.status !== "booked" && pastStatusWord(values.status);
  const facts = factsOf(values.name ? values : { ...values, number: null }, today);
  return (
    <Person
      name={values.name ?? values.number ?? m.import_empty_cell()}
      rest={[when, values.doctor, status, ...facts].filter(Boolean).join(", ")}
    />
  );
}
const likeFacts = (like: NonNullable<ShownRow["like"]>): Required<Facts> => ({
  phone: like.phone as Phone | null,
  born: like.birthDate ? { date: like.birthDate, about: like.about ?? false } : null,
  gender: like.gender,
  number: like.number ?? null,
  address: like.address ?? null,
});
function LikePerson({ like, today }: { like: ShownRow["like"]; today: DateKey }) {
  if (!like) return null;
  return (
    <>
      <span className="text-sm text-ink-soft desktop:block">
        {like.row === null ? m.import_col_nadi() : m.import_like_row({ row: String(like.row) })}
        <span className="desktop:hidden">: </span>
      </span>
      <Person name={like.name} rest={factsOf(likeFacts(like), today).join(", ")} />
    </>
  );
}
/** "Different: age or date of birth, address" */
function Different({ row }: { row: ShownRow }) {
  if (!row.like || !row.values) return null;
  const own = { phone: null, born: null, gender: null, number: null, address: null, ...(row.values as ReadValues) };
  const different = differencesOf(own, likeFacts(row.like)).map(fieldWord);
  if (!different.length) return null;
  return <span className="block">{m.import_different({ fields: different.join(", ").toLowerCase() })}</span>;
}
