/** Step 2 of an import: what is in each column. */
import { fieldsOf, type ImportField } from "#app/domains/clinic/imports/columns.ts";
import { fieldWord } from "#app/domains/clinic/imports/words.ts";
import { formatDate } from "#app/lib/dates.ts";
import { formatCount, shownCount } from "#app/lib/numbers.ts";
import type { ImportKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Cell, DockLine, Frame, type ImportData, Row, type StepProps, Table, WIDE_CARD } from "./import-parts.tsx";

export function Columns({ data, form, base }: StepProps) {
  const { reading, mapping, order, kind, rowCount, columnCount } = data;
  const columns = reading?.columns ?? [];
  const guessed = columns.filter(({ guess }) => guess).length;
  return (
    <Frame kind={data.kind} name={data.name} back={base} step={1}>
      <div className="mb-5">
        <b>{reading?.fileName}</b>
        {reading?.sheet && <>, {m.import_sheet({ sheet: reading.sheet })}</>}: {m.import_rows(shownCount(rowCount))},{" "}
        {m.import_columns_count({ count: columnCount })}. <AnyLink to={base}>{m.import_other_file()}</AnyLink>
        {(reading?.sheets.length ?? 0) > 1 && <OtherSheet reading={reading!} />}
      </div>
      <Form form={form}>
        <div className="space-y-5">
          {reading?.ask && dateOrder({ ask: reading.ask, order })}
          {!reading?.ask && <input type="hidden" name="order" value={order} />}
          <section className={WIDE_CARD} aria-labelledby="h-columns">
            <h2 id="h-columns">{m.import_columns_question()}</h2>
            <p className="text-sm text-ink-soft">
              {m.import_columns_guessed({ guessed: formatCount(guessed), count: formatCount(columnCount) })}
            </p>
            <Table head={[m.import_column_file(), m.import_column_examples(), m.import_column_nadi(), m.import_column_state()]}>
              {columns.map((column, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
                <Row key={`${reading?.sheet} ${i}`}>
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

/** A function, not a component, because the summary of errors finds the labels of fields only in what the page wrote (ui/error-summary.tsx). */
const dateOrder = ({ ask, order }: { ask: NonNullable<NonNullable<ImportData["reading"]>["ask"]> } & Pick<ImportData, "order">) => (
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
      label={m.import_date_question({ value: ask.value })}
      hint={m.import_date_question_text({ row: String(ask.row), column: ask.column })}
      columns
      options={orderOptions(ask.value)}
    />
  </section>
);
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
    {column.guess === undefined && !chosen && <option value="">{m.import_column_choose()}</option>}
    <option value={column.guess === undefined && !chosen ? "none" : ""}>{m.import_column_ignore()}</option>
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
