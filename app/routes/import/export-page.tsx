import type { FormAnswer } from "#app/http/submit-form.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { shownCount } from "#app/lib/numbers.ts";
import { EXPORT_FORMATS, EXPORT_KINDS, type ExportFormat, type ExportKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { AGAIN } from "./import-parts.tsx";
import type { loadExports } from "./moving.server.ts";

const KINDS: Record<ExportKind, () => string> = {
  patients: () => m.import_kind_patients(),
  appointments: () => m.import_kind_appointments(),
  payments: () => m.import_export_payments(),
};
const formatWord = (format: ExportFormat) => (format === "csv" ? "CSV" : m.import_export_excel());
type Data = Awaited<ReturnType<typeof loadExports>>;
const isPreparing = ({ exports }: Pick<Data, "exports">) => exports.some(({ isReady }) => !isReady);
/** For the route: without scripts the page loads again while a file is prepared. */
export const refreshPreparing = (data: unknown): string | null => (data && isPreparing(data as Data) ? String(AGAIN) : null);

/** Files that a clinic or a doctor takes out. */
export function ExportPage({ data, result }: { data: Data; result: FormAnswer["result"] | undefined }) {
  const [form, fields] = useNadiForm<{ kind: string; format: string }>({
    id: "export",
    lastResult: result,
    defaultValue: { kind: "patients", format: "csv" },
  });
  useReloadAt(isPreparing(data) ? AGAIN : 0, data);
  return (
    <Page title={m.import_export_title()} back={{ to: data.paths.home, label: data.name }}>
      <p className="mb-3">{m.import_export_text()}</p>
      <Form form={form} className="card space-y-4">
        <RadioPicks
          field={fields.kind}
          label={m.import_export_kind()}
          columns
          options={EXPORT_KINDS.map((kind) => ({ value: kind, label: KINDS[kind]() }))}
        />
        <RadioPicks
          field={fields.format}
          label={m.import_export_format()}
          columns
          options={EXPORT_FORMATS.map((format) => ({ value: format, label: formatWord(format) }))}
        />
        <SubmitButton full>{m.import_export_do()}</SubmitButton>
      </Form>
      {data.exports.length > 0 && (
        <section className="card mt-7" aria-labelledby="h-files">
          <h2 id="h-files">{m.import_export_files()}</h2>
          <DividedList>
            {data.exports.map(({ id, kind, format, isReady, rowCount, expiresAt }) => (
              <li key={id} className="row flex-wrap">
                <span className="grow">
                  {KINDS[kind]()} · {formatWord(format)}
                  {isReady && ` · ${m.import_rows(shownCount(rowCount))}`}
                  <span className="block text-sm text-ink-soft">{m.import_export_until({ at: formatInstant(expiresAt) })}</span>
                </span>
                {isReady ? (
                  <LinkButton to={`${data.paths.export}/${id}/file`} variant="second" size="sm" icon="download">
                    {m.import_export_download()}
                  </LinkButton>
                ) : (
                  <span>{m.import_export_preparing()}</span>
                )}
              </li>
            ))}
          </DividedList>
        </section>
      )}
    </Page>
  );
}
