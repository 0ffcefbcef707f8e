import { href } from "react-router";
import { ShareList } from "#app/domains/visit/sharing/components/share-list.tsx";
import { ShareSchema } from "#app/domains/visit/sharing/share.schema.ts";
import { SHARE_DAYS, SHARE_KINDS, SHARE_TIMES, type ShareTarget } from "#app/domains/visit/sharing/share.ts";
import { createShare, endShare, getShareable, listShares } from "#app/domains/visit/sharing/shares.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Checkbox, Form, SelectField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/share.ts";

/** @throws DomainError("not-found") for an unknown kind */
function targetOf({ kind, id }: { kind: string; id: string }): ShareTarget {
  const known = SHARE_KINDS.find((one) => one === kind);
  if (!known) throw new DomainError("not-found");
  return { kind: known, id };
}

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const target = targetOf(params);
  const [{ title, canHideName }, shares] = await Promise.all([getShareable(ctx, target), listShares(ctx, target)]);
  return { title, canHideName, shares };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, ShareSchema, async (input, _, again) => {
    const target = targetOf(params);
    if (input.intent === "end") {
      await endShare(ctx, input.id);
      return redirectWithToast(href("/patient/records/share/:kind/:id", params), m.shares_ended_toast());
    }
    const secret = await createShare(ctx, target, { days: input.days, times: input.times, showsName: input.showName === "on" });
    // Shown once: only its hash is stored.
    return again({ url: `${env().appUrl.origin}/s/${secret}` });
  });
}

/** Shows the new link. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

type Fields = { days: string; times: string; showName: string };

/** Makes a link to one record, and ends links. */
export default function Share({ loaderData, actionData }: Route.ComponentProps) {
  const { title, canHideName, shares } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "share", lastResult: actionData?.result, defaultValue: { days: "7", times: "5" } });
  const made = actionData?.detail as { url: string } | undefined;
  return (
    <Page title={m.shares_title()} back={{ to: href("/patient/records"), label: m.records_title() }}>
      <h2>{title}</h2>
      <p className="text-ink-soft">{m.shares_intro()}</p>
      {made?.url && (
        <section className="card mt-7" aria-labelledby="h-link">
          <h2 id="h-link">{m.shares_made()}</h2>
          <p className="mt-2">
            <code className="whitespace-pre-line">{made.url}</code>
          </p>
          <CopyButton text={made.url} done={m.shares_copied()}>
            {m.shares_copy()}
          </CopyButton>
          <Note tone="warn" icon="lock" className="mt-2">
            <p>{m.shares_once()}</p>
          </Note>
        </section>
      )}
      <section className="card mt-7" aria-labelledby="h-new">
        <h2 id="h-new" className="mb-3">
          {m.shares_new()}
        </h2>
        <Form form={form}>
          <input type="hidden" name="intent" value="share" />
          <SelectField
            field={fields.days}
            label={m.shares_days()}
            options={SHARE_DAYS.map((count) => ({ value: String(count), label: m.shares_days_count({ count }) }))}
          />
          <SelectField
            field={fields.times}
            label={m.shares_times()}
            options={SHARE_TIMES.map((count) => ({ value: String(count), label: m.shares_times_count({ count }) }))}
          />
          {canHideName && (
            <>
              <Checkbox field={fields.showName} label={m.shares_name()} />
              <p className="text-sm text-ink-soft mb-3">{m.shares_name_hint()}</p>
            </>
          )}
          <SubmitButton full>{m.shares_make()}</SubmitButton>
        </Form>
      </section>
      <ShareList shares={shares} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.shares_title() }) }];
