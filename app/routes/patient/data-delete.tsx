import { href } from "react-router";
import { z } from "zod";
import { countVisitsToCome, deleteAccount } from "#app/domains/privacy/own-data/delete-account.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { clearSessionCookie } from "#app/http/session.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/data-delete.ts";

export const loader = loadOwn(async (ctx) => ({ visits: await countVisitsToCome(ctx) }));

/** A typed word prevents deletion by one wrong press. The reader's own word counts, and DELETE in every language. */
const ALWAYS = "DELETE";
/** Ignores case, joiners and the choice between chandrabindu and anusvara, which keyboards differ in. */
const plain = (typed: string) =>
  typed
    .normalize("NFC")
    .replaceAll("\u0901", "\u0902")
    .replace(/[\u200c\u200d]/g, "")
    .trim()
    .toUpperCase();
const wrong = () => m.data_delete_word_wrong({ word: m.data_delete_word_own() });
const Confirmed = z.object({
  word: z
    .string({ error: wrong })
    .refine((typed) => [ALWAYS, m.data_delete_word_own()].some((word) => plain(word) === plain(typed)), { error: wrong }),
});

export const action = submitOwn(Confirmed, async (ctx) => {
  await deleteAccount(ctx);
  return redirectWithToast(href("/choose-role"), m.data_deleted(), { stays: true, cookies: [clearSessionCookie()] });
});

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const { visits } = loaderData;
  const [form, fields] = useNadiForm<{ word: string }>({ id: "delete", lastResult: actionData?.result });
  return (
    <Page title={m.data_delete_title()} back={{ to: href("/patient/data"), label: m.data_back() }}>
      <p>
        <b>{m.data_delete_question()}</b>
      </p>
      <p className="mt-2">
        <LinkButton to={href("/patient/data")} variant="quiet" className="pl-0">
          {m.data_delete_first()}
        </LinkButton>
      </p>
      <section className="mt-7" aria-labelledby="h-gone">
        <h2 id="h-gone">{m.data_delete_gone()}</h2>
        <ul className="space-y-1 mt-2">
          <li>{m.data_delete_gone_person()}</li>
          <li>{m.data_delete_gone_health()}</li>
          <li>{m.data_delete_gone_rest()}</li>
          <li>{visits === 0 ? m.data_delete_visits_none() : m.data_delete_visits({ count: visits })}</li>
        </ul>
      </section>
      <section className="mt-7" aria-labelledby="h-stored">
        <h2 id="h-stored">{m.data_delete_kept()}</h2>
        <ul className="space-y-1 mt-2">
          <li>{m.data_delete_kept_visits()}</li>
          <li>{m.data_delete_kept_log()}</li>
          <li>{m.data_delete_kept_doctor()}</li>
        </ul>
        <p className="mt-2">{m.data_delete_again()}</p>
      </section>
      <section className="card mt-7" aria-labelledby="h-confirm">
        <h2 id="h-confirm" className="mb-3">
          {m.data_delete()}
        </h2>
        <Form form={form}>
          <TextField
            field={fields.word}
            label={m.data_delete_word({ word: m.data_delete_word_own() })}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            required
          />
          <div className="mt-4 grid gap-2.5">
            <SubmitButton variant="danger" full pendingText={m.data_delete_doing()}>
              {m.data_delete_yes()}
            </SubmitButton>
            <LinkButton to={href("/patient/data")} variant="quiet" full>
              {m.data_delete_no()}
            </LinkButton>
          </div>
        </Form>
      </section>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.data_delete_title() }) }];
