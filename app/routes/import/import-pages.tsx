/** The pages of moving patients in: upload, columns, check, done. The same for a clinic and a doctor's own practice. */
import type { ReactNode } from "react";
import { Form as GetForm, useLocation } from "react-router";
import { fieldsOf, type ImportField } from "#app/domains/clinic/imports/columns.ts";
import { isWorking } from "#app/domains/clinic/imports/import.state.ts";
import {
  decisionsFor,
  decisionWord,
  fieldWord,
  groupWord,
  kindWord,
  noticeWord,
  problemWords,
  questionWord,
  stateWord,
  stopWord,
} from "#app/domains/clinic/imports/words.ts";
import { listAddress } from "#app/http/list-state.ts";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import { ageFrom, ageWord } from "#app/lib/age.ts";
import { type DateKey, formatDate, formatDayOfMonth, formatInstant, todayInIndia } from "#app/lib/dates.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { ImportKind, ImportState, RowGroup } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button, LinkButton } from "#app/ui/button.tsx";
import { FileField, Form, type NadiForm, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Steps } from "#app/ui/nav.tsx";
import { Badge, Facts, Note, SectionHead } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Dock, Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { loadImport, loadImports, loadRegister } from "./moving.server.ts";

type Data<Loader extends (...args: never[]) => unknown> = Awaited<ReturnType<Loader>>;
type Result = FormAnswer["result"] | undefined;
type ImportData = Data<typeof loadImport>;

/** Seconds between two looks at a running job. */
const AGAIN = 5;
/** For the route of an import: without scripts the page of a running job loads again. */
export const refreshRunning = (data: unknown): string | null =>
  isWorking((data as { state?: ImportState } | null)?.state ?? "done") ? String(AGAIN) : null;

const Frame = ({
  title,
  name,
  back,
  step,
  children,
}: {
  title: ReactNode;
  name: string;
  back: string;
  step?: number;
  children: ReactNode;
}) => (
  <Page wide wizard title={<Titled title={title} name={name} />} back={{ to: back }}>
    {step !== undefined && (
      <div className="mb-5 max-w-176">
        <Steps
          label={m.import_steps()}
          steps={[m.import_step_upload(), m.import_step_columns(), m.import_step_check(), m.import_step_done()]}
          current={step}
        />
      </div>
    )}
    {children}
  </Page>
);
const Titled = ({ title, name }: { title: ReactNode; name: string }) => (
  <>
    {title} <span className="font-medium text-ink-soft max-desktop:hidden">{name}</span>
  </>
);

const DockLine = ({ first, children }: { first: string; children: ReactNode }) => (
  <Dock>
    <p className="grow leading-snug">
      <b>{first}</b>
      <span className="block text-sm text-ink-soft">{m.import_nothing_saved()}</span>
    </p>
    {children}
  </Dock>
);

/** Step 1. */
export function ImportUpload({ data, result }: { data: Data<typeof loadImports>; result: Result }) {
  const { paths } = data;
  const { search } = useLocation();
  const asked = new URLSearchParams(search).get("kind") === "appointments" ? "appointments" : "patients";
  const [form, fields] = useNadiForm<{ kind: string; file: string }>({ id: "import", lastResult: result, defaultValue: { kind: asked } });
  const promises = [
    [m.import_promise_first(), m.import_promise_first_text()],
    [m.import_promise_sms(), m.import_promise_sms_text()],
    [m.import_promise_undo(), m.import_promise_undo_text()],
  ];
  return (
    <Frame title={m.import_title()} name={data.name} back={paths.home} step={0}>
      <Form form={form} encType="multipart/form-data">
        <div className="space-y-5">
          <section className="card">
            <RadioPicks
              field={fields.kind}
              label={m.import_what()}
              columns
              options={(["patients", "appointments"] as const).map((kind) => ({ value: kind, label: <KindLabel kind={kind} /> }))}
            />
          </section>
          <section className="card" aria-labelledby="h-file">
            <h2 id="h-file">{m.import_file()}</h2>
            <FileField
              field={fields.file}
              label={m.import_file_label()}
              hint={m.import_file_hint()}
              accept=".csv,.tsv,.txt,.xlsx"
              required
            />
            <p className="mt-3">
              {m.import_example_before()} <AnyLink to={`${paths.upload}/example.csv?kind=${asked}`}>{m.import_example()}</AnyLink>{" "}
              {m.import_example_after()}
            </p>
          </section>
          <ul className="list-none space-y-1.5 p-0">
            {promises.map(([first, rest]) => (
              <li key={first} className="flex gap-2">
                <Icon name="check" small className="mt-1 flex-none text-ok" />
                <span>
                  <b>{first}</b> {rest}
                </span>
              </li>
            ))}
          </ul>
          <Earlier data={data} />
        </div>
        <DockLine first={m.import_step_of({ step: "1" })}>
          <SubmitButton size="lg" pendingText={m.import_reading_file()}>
            {m.import_read_file()}
          </SubmitButton>
        </DockLine>
      </Form>
    </Frame>
  );
}
const KindLabel = ({ kind }: { kind: ImportKind }) => (
  <span>
    <b>{kindWord(kind)}</b>
    <span className="block text-sm text-ink-soft">
      {kind === "patients" ? m.import_kind_patients_hint() : m.import_kind_appointments_hint()}
    </span>
  </span>
);
const Earlier = ({ data: { imports, paths } }: { data: Data<typeof loadImports> }) => (
  <section aria-labelledby="h-earlier">
    {imports.length > 0 && (
      <>
        <h2 id="h-earlier">{m.import_earlier()}</h2>
        <DividedList>
          {imports.map(({ id, kind, state, rowCount, createdAt }) => (
            <li key={id} className="row flex-wrap">
              <AnyLink className="grow" to={`${paths.upload}/${id}`}>
                {formatInstant(createdAt)} · {kindWord(kind)} · {m.import_rows({ count: rowCount })}
              </AnyLink>
              <Badge>{stateWord(state)}</Badge>
            </li>
          ))}
        </DividedList>
      </>
    )}
    <p className="mt-3 row flex-wrap">
      <LinkButton to={paths.register} variant="second" size="sm" icon="user-round">
        {m.import_register_title()}
      </LinkButton>
      <LinkButton to={paths.export} variant="second" size="sm" icon="download">
        {m.import_take_out()}
      </LinkButton>
    </p>
  </section>
);
/** Steps 2 to 4, as the state of the import says. */
export function ImportSteps({ data, result }: { data: ImportData; result: Result }) {
  const [form] = useNadiForm({ id: "import", lastResult: result });
  const base = data.paths.upload;
  const shared = { data, form, base, here: `${base}/${data.id}` };
  if (data.showsColumns) return <Columns {...shared} />;
  if (isWorking(data.state)) return <Running {...shared} />;
  if (data.state === "checked") return <Check {...shared} />;
  return <Done {...shared} />;
}
type StepProps = { data: ImportData; form: NadiForm; base: string; here: string };

function Columns({ data, form, base }: StepProps) {
  const { reading, mapping, order, kind, rowCount, columnCount } = data;
  const columns = reading?.columns ?? [];
  const guessed = columns.filter(({ guess }) => guess).length;
  return (
    <Frame title={m.import_title()} name={data.name} back={base} step={1}>
      <div className="mb-5">
        <b>{reading?.fileName}</b>
        {reading?.sheet && <>, {m.import_sheet({ sheet: reading.sheet })}</>}: {m.import_rows({ count: rowCount })},{" "}
        {m.import_columns_count({ count: columnCount })}. <AnyLink to={base}>{m.import_other_file()}</AnyLink>
        {(reading?.sheets.length ?? 0) > 1 && <OtherSheet reading={reading!} />}
      </div>
      <Form form={form}>
        <div className="space-y-5">
          {reading?.ask && (
            <section className="card">
              <RadioPicks
                field={{
                  key: undefined,
                  id: "order",
                  name: "order",
                  errorId: "order-error",
                  descriptionId: "order-hint",
                  initialValue: order,
                  errors: undefined,
                }}
                label={m.import_date_question({ value: reading.ask.value })}
                hint={m.import_date_question_text({ row: String(reading.ask.row), column: reading.ask.column })}
                columns
                options={orderOptions(reading.ask.value)}
              />
            </section>
          )}
          {!reading?.ask && <input type="hidden" name="order" value={order} />}
          <section className={WIDE_CARD} aria-labelledby="h-columns">
            <h2 id="h-columns">{m.import_columns_question()}</h2>
            <p className="text-sm text-ink-soft">
              {m.import_columns_guessed({ guessed: formatCount(guessed), count: formatCount(columnCount) })}
            </p>
            <Table head={[m.import_column_file(), m.import_column_examples(), m.import_column_nadi(), m.import_column_state()]}>
              {columns.map((column, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                <Row key={i}>
                  <Cell>
                    <b>{column.header || m.import_column_none()}</b>
                  </Cell>
                  <Cell>
                    {column.examples.map((example) => (
                      <span key={example} className="block text-sm wrap-anywhere">
                        {example}
                      </span>
                    ))}
                  </Cell>
                  <Cell>
                    <FieldSelect name={`f${i}`} kind={kind} column={column} chosen={mapping[i] ?? null} />
                  </Cell>
                  <Cell>
                    <GuessBadge guess={column.guess} chosen={mapping[i] ?? null} />
                  </Cell>
                </Row>
              ))}
            </Table>
          </section>
        </div>
        <DockLine first={m.import_step_of({ step: "2" })}>
          <SubmitButton size="lg" name="intent" value="columns">
            {m.import_check_rows()}
          </SubmitButton>
        </DockLine>
      </Form>
    </Frame>
  );
}
/** "2 March 1984", "3 February 1984" */
function orderOptions(value: string) {
  const [a = "1", b = "1", year = "2000"] = value.split(/[/.\-\s]+/);
  const whole = year.length === 2 ? `20${year}` : year;
  const date = (month: string, day: string) => formatDate(`${whole}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
  return [
    { value: "dmy", label: <OrderLabel date={date(b, a)} text={m.import_day_first()} /> },
    { value: "mdy", label: <OrderLabel date={date(a, b)} text={m.import_month_first()} /> },
  ];
}
const OrderLabel = ({ date, text }: { date: string; text: string }) => (
  <span>
    <b>{date}</b>
    <span className="block text-sm text-ink-soft">{text}</span>
  </span>
);
function OtherSheet({ reading }: { reading: NonNullable<ImportData["reading"]> }) {
  const [form] = useNadiForm({ id: "sheet" });
  return (
    <Form form={form} className="row mt-2 flex-wrap">
      <label className="row">
        <span>{m.import_sheet_choose()}</span>
        <select className="input min-h-target w-auto" name="sheet" defaultValue={reading.sheet ?? ""}>
          {reading.sheets.map((sheet) => (
            <option key={sheet}>{sheet}</option>
          ))}
        </select>
      </label>
      <SubmitButton variant="second" size="sm" name="intent" value="sheet">
        {m.import_sheet_read()}
      </SubmitButton>
    </Form>
  );
}
const FieldSelect = ({
  name,
  kind,
  column,
  chosen,
}: {
  name: string;
  kind: ImportKind;
  column: { header: string; guess?: string | null };
  chosen: string | null;
}) => (
  <select
    className="input min-h-target text-base"
    name={name}
    defaultValue={chosen ?? ""}
    aria-label={m.import_column_for({ column: column.header })}
  >
    <option value="">{column.guess === undefined && !chosen ? m.import_column_choose() : m.import_column_ignore()}</option>
    {fieldsOf(kind).map((field: ImportField) => (
      <option key={field} value={field}>
        {fieldWord(field)}
      </option>
    ))}
  </select>
);
function GuessBadge({ guess, chosen }: { guess?: string | null | undefined; chosen: string | null }) {
  if (chosen)
    return (
      <Badge tone="ok" icon="check">
        {m.import_guessed()}
      </Badge>
    );
  return guess === null ? (
    <Badge icon="x">{m.import_left_out()}</Badge>
  ) : (
    <Badge tone="warn" icon="triangle-alert">
      {m.import_please_choose()}
    </Badge>
  );
}

/** A card on wide screens. On a phone the lines inside are the cards. */
const WIDE_CARD = "desktop:rounded-lg desktop:border desktop:border-line desktop:bg-card desktop:p-4";

/** A table whose lines are cards on a phone. */
const Table = ({ head, children }: { head: string[]; children: ReactNode }) => (
  <table className="mt-3 w-full border-collapse max-desktop:block">
    <thead className="text-left text-sm text-ink-soft max-desktop:hidden">
      <tr>
        {head.map((name) => (
          <th key={name} scope="col" className="border-b border-line px-2 py-2.5 font-medium">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="max-desktop:block">{children}</tbody>
  </table>
);
const Row = ({ children }: { children: ReactNode }) => (
  <tr className="max-desktop:mt-3 max-desktop:block max-desktop:rounded-lg max-desktop:border max-desktop:border-line max-desktop:bg-card max-desktop:px-4 max-desktop:py-3.5">
    {children}
  </tr>
);
const Cell = ({ children, className = "" }: { children?: ReactNode; className?: string }) => (
  <td
    className={`max-desktop:block max-desktop:py-0.5 max-desktop:empty:hidden desktop:border-b desktop:border-line desktop:px-2 desktop:py-2 ${className}`}
  >
    {children}
  </td>
);
const OnPhone = ({ children }: { children: ReactNode }) => <span className="text-sm text-ink-soft desktop:hidden">{children}: </span>;

const GROUP_ICONS: Record<RowGroup, IconName> = { new: "plus", here: "check", decision: "triangle-alert", unreadable: "circle-x" };
const HEADS: Record<RowGroup, (of: { count: number }) => string> = {
  new: (of) => m.import_head_new(of),
  here: (of) => m.import_head_here(of),
  decision: (of) => m.import_head_decision(of),
  unreadable: (of) => m.import_head_unreadable(of),
};

/** Step 3. */
function Check({ data, form, here, base }: StepProps) {
  const { groups, group, rows, undecided, ready, kind, page, hasMore } = data;
  const count = groups[group];
  const readyWord = (of: { count: number }) => (kind === "patients" ? m.import_ready_patients(of) : m.import_ready_appointments(of));
  return (
    <Frame title={m.import_title()} name={data.name} back={`${here}?columns`} step={2}>
      <Form form={form}>
        <div className="space-y-5">
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
          <section className={WIDE_CARD} aria-labelledby="h-rows">
            <SectionHead>
              <h2 id="h-rows">{HEADS[group]({ count })}</h2>
              <AnyLink to={`${here}/rows.csv${group === "unreadable" ? "?group=unreadable" : ""}`}>
                {group === "unreadable" ? m.import_these_csv() : m.import_rows_csv()}
              </AnyLink>
            </SectionHead>
            {group === "unreadable" && count > 0 && <p className="mt-2">{m.import_unreadable_text()}</p>}
            {group === "here" && count > 0 && <p className="mt-2">{m.import_here_text()}</p>}
            {group === "decision" && count > 0 && <DecideAll rows={rows} />}
            {rows.length > 0 && <RowsTable group={group} rows={rows} today={data.today} mapping={data.mapping} />}
            {group === "decision" && count > 0 && (
              <p className="row mt-4 flex-wrap justify-center">
                <SubmitButton variant="second" size="sm" name="intent" value="decide">
                  {m.import_save_decisions()}
                </SubmitButton>
                {hasMore && (
                  <>
                    <input type="hidden" name="page" value={page + 1} />
                    <SubmitButton variant="second" size="sm" name="intent" value="decide">
                      {m.import_show_more()}
                    </SubmitButton>
                  </>
                )}
              </p>
            )}
            <Pages page={page} hasMore={hasMore} to={(n) => listAddress(here, { group, page: n })} />
          </section>
          {undecided > 0 && (
            <Note tone="warn" icon="info">
              <p>
                <b>{m.import_undecided({ count: undecided })}</b> {m.import_undecided_text()}
              </p>
            </Note>
          )}
          <p className="row flex-wrap">
            <LinkButton to={`${here}?columns`} variant="quiet" size="sm">
              {m.import_back_to_columns()}
            </LinkButton>
            <SubmitButton variant="quiet" size="sm" name="intent" value="discard">
              {m.import_discard()}
            </SubmitButton>
          </p>
        </div>
        <DockLine first={readyWord({ count: ready })}>
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

function DecideAll({ rows }: { rows: ImportData["rows"] }) {
  const questions = [...new Set(rows.map(({ reason }) => reason))];
  const allowed = (["same", "other", "leave-out"] as const).filter((one) =>
    questions.every((question) => decisionsFor(question).includes(one)),
  );
  return (
    <div className="mt-3 flex flex-wrap items-end gap-2">
      <label>
        <span className="label">{m.import_for_all()}</span>
        <select className="input" name="all" defaultValue="">
          <option value="">{m.import_one_by_one()}</option>
          {allowed.map((one) => (
            <option key={one} value={one}>
              {decisionWord(one, questions.length === 1 ? (questions[0] ?? null) : null)}
            </option>
          ))}
        </select>
      </label>
      <SubmitButton variant="second" name="intent" value="decide-all">
        {m.import_apply_all()}
      </SubmitButton>
    </div>
  );
}

type ShownRow = ImportData["rows"][number];
const RowsTable = ({
  group,
  rows,
  today,
  mapping,
}: {
  group: RowGroup;
  rows: ShownRow[];
  today: DateKey;
  mapping: ImportData["mapping"];
}) => {
  const head = {
    new: [m.import_col_row(), m.import_col_file(), m.import_col_why()],
    here: [m.import_col_row(), m.import_col_file(), m.import_col_nadi()],
    decision: [m.import_col_row(), m.import_col_file(), m.import_col_nadi(), m.import_col_ask(), m.import_col_decision()],
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
          {group === "new" && <Cell className="text-sm">{row.notices.map(noticeWord).join(". ")}</Cell>}
          {(group === "here" || group === "decision") && (
            <Cell>
              <OnPhone>{m.import_col_nadi()}</OnPhone>
              <LikePerson like={row.like} today={today} />
            </Cell>
          )}
          {group === "decision" && (
            <>
              <Cell className="text-sm">{questionWord(row.reason)}</Cell>
              <Cell>
                <DecisionSelect row={row} />
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
const DecisionSelect = ({ row }: { row: ShownRow }) => (
  <select
    className="input min-h-target text-base"
    name={`r${row.number}`}
    defaultValue={row.decision ?? ""}
    aria-label={m.import_decide_for({ number: String(row.number) })}
  >
    <option value="">{m.import_decide()}</option>
    {decisionsFor(row.reason).map((one) => (
      <option key={one} value={one}>
        {decisionWord(one, row.reason)}
      </option>
    ))}
  </select>
);
const Person = ({ name, rest }: { name: string; rest: string }) => (
  <>
    <b className="wrap-anywhere">{name}</b>
    <span className="num block text-sm text-ink-soft wrap-anywhere">{rest}</span>
  </>
);
/** What the row says of its patient. */
function FilePerson({ row, today, mapping }: { row: ShownRow; today: DateKey; mapping: ImportData["mapping"] }) {
  const values = row.values as {
    name?: string | null;
    number?: string | null;
    phone?: string | null;
    date?: string;
    time?: string | null;
    born?: { date: string; about: boolean } | null;
  } | null;
  if (!values) {
    const at = mapping.indexOf("name");
    const rest = row.cells.filter((cell, i) => cell && i !== at && mapping[i]);
    return <Person name={row.cells[at] || m.import_empty_cell()} rest={rest.slice(0, 3).join(", ")} />;
  }
  const rest = [
    values.date && [formatDate(values.date), values.time].filter(Boolean).join(" "),
    values.phone && formatPhone(values.phone),
    values.born && ageWord({ ...ageFrom(values.born.date, today), ...(values.born.about && { about: true }) }),
    values.number,
  ];
  return <Person name={values.name ?? values.number ?? m.import_empty_cell()} rest={rest.filter(Boolean).join(", ")} />;
}
function LikePerson({ like, today }: { like: ShownRow["like"]; today: DateKey }) {
  if (!like) return null;
  const rest = [
    like.phone && formatPhone(like.phone),
    like.birthDate && ageWord(ageFrom(like.birthDate, today)),
    like.row !== null && m.import_like_row({ row: String(like.row) }),
  ];
  return <Person name={like.name} rest={rest.filter(Boolean).join(", ")} />;
}

function Running({ data, base, here }: StepProps) {
  useReloadAt(AGAIN, data);
  const { state, done, ready, rowCount, outcomes } = data;
  const all = state === "importing" ? rowCount : state === "undoing" ? outcomes.added + outcomes.removed + outcomes.stays : rowCount;
  const title =
    state === "checking"
      ? m.import_checking({ count: formatCount(rowCount) })
      : state === "importing"
        ? m.import_importing({ done: formatCount(Math.min(done, all)), count: formatCount(all) })
        : m.import_undoing({ done: formatCount(done) });
  return (
    <Frame title={m.import_title()} name={data.name} back={base} step={state === "checking" ? 2 : 3}>
      <section className="card space-y-3" aria-live="polite">
        <h2>{title}</h2>
        {state !== "checking" && (
          <progress className="h-2 w-full accent-brand" max={Math.max(1, all, ready)} value={Math.min(done, all)} aria-label={title} />
        )}
        <p>{m.import_running_text()}</p>
        <LinkButton to={here} variant="second" full reloadDocument>
          {m.import_check_again()}
        </LinkButton>
      </section>
    </Frame>
  );
}

/** Step 4. */
function Done({ data, form, base, here }: StepProps) {
  const { kind, state, outcomes, rowCount, finishedAt, undoneAt, undoUntil, canUndo, confirmsUndo, used, fault } = data;
  const doneWord = (of: { count: number }) => (kind === "patients" ? m.import_done_patients(of) : m.import_done_appointments(of));
  const csv = (query: string) => (
    <>
      {" "}
      <AnyLink to={`${here}/rows.csv?${query}`}>CSV</AnyLink>
    </>
  );
  const counted = (label: ReactNode, count: number): [ReactNode, ReactNode] | null => (count ? [label, formatCount(count)] : null);
  return (
    <Frame title={m.import_title()} name={data.name} back={base} step={3}>
      <div className="space-y-5 pb-16">
        {state === "done" && finishedAt && (
          <Note tone="ok" icon="circle-check">
            <h2>{doneWord({ count: outcomes.added })}</h2>
            <p>{m.import_done_text({ at: formatInstant(finishedAt) })}</p>
          </Note>
        )}
        {state === "undone" && undoneAt && (
          <Note tone="ok" icon="circle-check">
            <h2>{m.import_undone_title()}</h2>
            <p>{m.import_undone_text({ at: formatInstant(undoneAt) })}</p>
          </Note>
        )}
        {state === "stopped" && (
          <Note tone="bad" icon="circle-alert">
            <h2>{m.import_stopped_title()}</h2>
            <p>{stopWord(fault)}</p>
          </Note>
        )}
        <section className="card" aria-labelledby="h-happened">
          <h2 id="h-happened">{m.import_happened({ count: rowCount })}</h2>
          <Facts
            items={[
              counted(m.import_sum_added(), outcomes.added),
              counted(m.import_sum_here(), outcomes.here),
              counted(m.import_sum_removed(), outcomes.removed),
              counted(
                <>
                  {m.import_sum_stays()}
                  {csv("outcome=stays")}
                </>,
                outcomes.stays,
              ),
              counted(
                <>
                  {m.import_sum_undecided()}
                  {csv("group=decision&outcome=left-out")}
                </>,
                outcomes.undecided,
              ),
              counted(m.import_sum_left_out(), outcomes.leftOut),
              counted(
                <>
                  {m.import_sum_unreadable()}
                  {csv("group=unreadable")}
                </>,
                outcomes.unreadable,
              ),
              [m.import_sum_all(), formatCount(rowCount)],
            ]}
          />
        </section>
        <p className="row flex-wrap">
          <LinkButton to={data.paths.register} icon="user-round">
            {m.import_see_patients()}
          </LinkButton>
          <LinkButton to={`${base}?kind=appointments`} variant="second">
            {kind === "patients" ? m.import_import_appointments() : m.import_import_another()}
          </LinkButton>
        </p>
        {(state === "done" || state === "stopped") && canUndo && undoUntil && (
          <section className="card space-y-3" aria-labelledby="h-wrong">
            <h2 id="h-wrong">{confirmsUndo ? m.import_undo_confirm_title() : m.import_wrong()}</h2>
            <p>
              {m.import_undo_text()} {used ? m.import_undo_used({ count: used }) : null}
            </p>
            <Form form={form}>
              <SubmitButton variant="danger" full name="intent" value="undo">
                {m.import_undo({ date: formatDayOfMonth(todayInIndia(undoUntil)) })}
              </SubmitButton>
            </Form>
          </section>
        )}
      </div>
    </Frame>
  );
}

/** The patients whom the clinic brought. */
export function Register({ data }: { data: Data<typeof loadRegister> }) {
  const { rows, search, page, hasMore, total, name, paths } = data;
  const here = paths.register;
  return (
    <Page wide title={<Titled title={m.import_register_title()} name={name} />} back={{ to: paths.home }}>
      <search>
        <GetForm className="row mb-3 flex-wrap" action={here} key={search}>
          <label className="search grow">
            <span className="sr-only">{m.import_register_search()}</span>
            <Icon name="search" />
            <input
              className="input"
              type="search"
              name="q"
              defaultValue={search}
              maxLength={100}
              placeholder={m.import_register_search()}
              autoComplete="off"
            />
          </label>
          <Button type="submit" variant="second">
            {m.appointments_search_do()}
          </Button>
        </GetForm>
      </search>
      {rows.length > 0 ? (
        <>
          <p className="text-sm text-ink-soft">{m.import_register_count({ count: total })}</p>
          <Table head={[m.import_field_name(), m.import_field_phone(), m.import_field_number()]}>
            {rows.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <b className="wrap-anywhere">{row.name}</b>
                  <span className="block text-sm text-ink-soft">{row.age && ageWord(row.age)}</span>
                </Cell>
                <Cell className="num">{row.phone && <a href={`tel:${row.phone}`}>{formatPhone(row.phone)}</a>}</Cell>
                <Cell className="num">{row.number}</Cell>
              </Row>
            ))}
          </Table>
        </>
      ) : (
        <EmptyState drawing={search ? "nothing-found" : "no-appointments"} title={m.import_register_none()}>
          {m.import_register_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(n) => listAddress(here, { q: search, page: n })} />
    </Page>
  );
}
