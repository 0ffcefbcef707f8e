/** Step 1 of an import: the file. */
import { useLocation } from "react-router";
import { kindWord, stateWord } from "#app/domains/clinic/imports/words.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { shownCount } from "#app/lib/numbers.ts";
import { IMPORT_KINDS, type ImportKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { FileField, Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { type Data, DockLine, Frame, type Result } from "./import-parts.tsx";
import type { loadImports } from "./moving.server.ts";

export function ImportUpload({ data, result }: { data: Data<typeof loadImports>; result: Result }) {
  const { paths } = data;
  const { search } = useLocation();
  const asked = new URLSearchParams(search).get("kind") === "appointments" ? "appointments" : "patients";
  const [form, fields] = useNadiForm<{ kind: string; file: string }>({ id: "import", lastResult: result, defaultValue: { kind: asked } });
  return (
    <Frame name={data.name} back={paths.home} step={0}>
      <Form form={form} encType="multipart/form-data">
        <div className="space-y-5">
          <section className="card">
            <RadioPicks
              field={fields.kind}
              label={m.import_what()}
              columns
              options={IMPORT_KINDS.map((kind) => ({ value: kind, label: <KindLabel kind={kind} /> }))}
            />
          </section>
          <section className="card" aria-labelledby="h-file">
            <h2 id="h-file" className="mb-3">
              {m.import_file()}
            </h2>
            <FileField
              field={fields.file}
              label={m.import_file_label()}
              hint={m.import_file_hint()}
              accept=".csv,.tsv,.txt,.xlsx"
              required
            />
            <p className="mt-3">
              {m.import_example()}{" "}
              {IMPORT_KINDS.map((kind) => (
                <AnyLink key={kind} className="mr-3 inline-block" to={`${paths.upload}/example.csv?kind=${kind}`}>
                  {kindWord(kind)}
                </AnyLink>
              ))}
            </p>
          </section>
          <Promises />
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

function Promises() {
  const promises = [
    [m.import_promise_first(), m.import_promise_first_text()],
    [m.import_promise_sms(), m.import_promise_sms_text()],
    [m.import_promise_undo(), m.import_promise_undo_text()],
  ];
  return (
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
          {imports.map(({ id, kind, state, rowCount, createdAt, fileName }) => (
            <li key={id} className="row flex-wrap">
              <AnyLink className="grow" to={`${paths.upload}/${id}`}>
                <b className="block wrap-anywhere">{fileName}</b>
                {formatInstant(createdAt)} · {kindWord(kind)} · {m.import_rows(shownCount(rowCount))}
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
