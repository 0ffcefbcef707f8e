import { href } from "react-router";
import { relationWord } from "#app/domains/patients/family/family.ts";
import { MAX_IMAGE_MB } from "#app/domains/platform/files/upload-limits.ts";
import { DocumentFields } from "#app/domains/visit/records/components/result-form.tsx";
import { getOwnOrder } from "#app/domains/visit/records/orders.server.ts";
import { isOwnPerson, listPeople } from "#app/domains/visit/records/people.server.ts";
import { recordFormOn } from "#app/domains/visit/records/records.schema.ts";
import { addOwnRecord } from "#app/domains/visit/records/save-record.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { recordUpload } from "#app/http/uploads.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SelectField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/add.ts";

// One document of at most 10 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const people = (await listPeople(ctx, ctx.actor.userId)).filter(isOwnPerson);
  const query = new URL(request.url).searchParams;
  const asked = query.get("for");
  const wanted = query.get("order");
  const order = wanted === null ? null : await orRefuse(() => getOwnOrder(ctx, wanted));
  return {
    today: todayInIndia(ctx.now),
    order: order && { id: order.id, note: m.order_result_note(), tests: order.tests.join(", ") },
    person: people.find(({ id }) => id === asked)?.id ?? "me",
    people: people.map(({ id, name, relation }) => ({
      value: id,
      label: relation ? m.records_relative({ name, relation: relationWord(relation) }) : name || m.records_me(),
    })),
  };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(
    request,
    recordFormOn(todayInIndia(ctx.now)),
    async (input) => {
      const { person } = await addOwnRecord(ctx, input);
      return redirectWithToast(
        `${href("/patient/records")}${person === "me" ? "" : `?for=${person}`}`,
        m.records_added_toast({ name: input.description }),
      );
    },
    { uploads: recordUpload(ctx) },
  );
}

type Fields = { person: string; order: string; recordType: string; description: string; date: string; received: string; file: string };

export default function AddRecord({ loaderData, actionData }: Route.ComponentProps) {
  const { people, person, today, order } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "record",
    lastResult: actionData?.result,
    defaultValue: { person, recordType: "other", date: today },
  });
  return (
    <Page wizard title={m.records_add()} back={{ to: href("/patient/records") }}>
      <Form form={form} encType="multipart/form-data">
        {order && (
          <>
            <Note className="mb-3">
              <b>{order.tests}</b>
              <br />
              {order.note}
            </Note>
            <input type="hidden" name="order" value={order.id} />
          </>
        )}
        {!order && people.length > 1 && <SelectField field={fields.person} label={m.records_person()} options={people} />}
        <DocumentFields
          fields={fields}
          today={today}
          label={m.records_description()}
          hint={m.records_description_hint()}
          fileHint={m.records_file_hint({ megabytes: String(MAX_IMAGE_MB) })}
        />
        <Dock>
          <SubmitButton size="lg" full pendingText={m.records_adding()}>
            {m.records_add_button()}
          </SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.records_add() }) }];
