import { href } from "react-router";
import { type Field, type Sheets, sheetsOf } from "#app/http/api/describe.ts";
import { documentOf } from "#app/http/api/document.server.ts";
import { shareTags } from "#app/http/public-page.ts";
import { m } from "#app/paraglide/messages.js";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { ADDRESSES } from "../api/addresses.ts";
import { ENDPOINTS } from "../api/endpoints.server.ts";
import { API_GROUPS } from "../api/groups.ts";
import type { Route } from "./+types/api-docs.ts";

export const loader = ({ url }: Route.LoaderArgs) => ({
  sheets: sheetsOf(documentOf(ENDPOINTS, API_GROUPS, url.origin)),
  addresses: ADDRESSES.map((one) => ({ ...one, example: one.example(url.origin) })),
  origin: url.origin,
});

type Data = Route.ComponentProps["loaderData"];

export default function ApiDocs({ loaderData: { sheets, addresses, origin } }: Route.ComponentProps) {
  return (
    <Page
      wide
      title={m.api_docs_title()}
      back={{ to: "/" }}
      className="[&_code]:text-[0.9375em] [&_code]:wrap-anywhere [&_summary]:flex [&_summary]:min-h-target [&_summary]:items-center"
    >
      <p>{m.api_docs_intro()}</p>
      <p className="mt-2">
        <a href={href("/api/openapi.json")}>{m.api_docs_file()}</a>
      </p>
      <p className="mt-2">
        <code>{origin}</code>
      </p>
      <section className="mt-7" aria-labelledby="h-how">
        <h2 id="h-how">{m.api_docs_how()}</h2>
        {[m.api_docs_token(), m.api_docs_errors(), m.api_docs_repeat(), m.api_docs_lists(), m.api_docs_times()].map((text) => (
          <p key={text} className="mt-2">
            {text}
          </p>
        ))}
      </section>
      <Contents sheets={sheets} addresses={addresses} />
      {sheets.map((sheet, i) => (
        <Group key={sheet.group} id={`group-${i}`} {...sheet} />
      ))}
      {addresses.map(({ id, title, about, example }) => (
        <section key={id} id={id} className="mt-7" aria-labelledby={`h-${id}`}>
          <h2 id={`h-${id}`} lang="en">
            {title}
          </h2>
          <p className="mt-2" lang="en">
            {about}
          </p>
          <p className="mt-2 rounded-md border border-line bg-card px-4 py-3 whitespace-pre-wrap [&_code]:font-mono">
            <code>{example}</code>
          </p>
          <CopyButton text={example} done={m.door_copied()}>
            {m.door_copy_snippet()}
          </CopyButton>
        </section>
      ))}
    </Page>
  );
}

const Contents = ({ sheets, addresses }: Pick<Data, "sheets" | "addresses">) => (
  <nav className="mt-7" aria-labelledby="h-calls">
    <h2 id="h-calls">{m.api_docs_contents()}</h2>
    <ul className="mt-2">
      {sheets.map(({ group }, i) => (
        <li key={group}>
          <a className="flex items-center min-h-target cursor-pointer" lang="en" href={`#group-${i}`}>
            {group}
          </a>
        </li>
      ))}
      {addresses.map(({ id, title }) => (
        <li key={id}>
          <a className="flex items-center min-h-target cursor-pointer" lang="en" href={`#${id}`}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Group = ({ id, group, calls }: Sheets[number] & { id: string }) => (
  <section id={id} className="mt-7" aria-labelledby={`h-${id}`}>
    {/* The reference is in English only, as usual for developers. */}
    <h2 id={`h-${id}`} lang="en">
      {group}
    </h2>
    {calls.map((call) => (
      <article key={call.id} id={call.id} className="card mt-2" aria-labelledby={`h-${call.id}`}>
        <h3 id={`h-${call.id}`}>
          <code>
            {call.method} <wbr />
            {call.path}
          </code>
        </h3>
        <p className="mt-2" lang="en">
          {call.summary}
        </p>
        <p className="text-sm text-ink-soft mt-2" lang="en">
          {call.about}
        </p>
        <p className="row flex-wrap mt-2">
          <span className="text-sm text-ink-soft">{m.api_docs_who()}</span>
          {call.who ? (
            call.who.map((role) => (
              <Badge key={role}>
                <span lang="en">{role}</span>
              </Badge>
            ))
          ) : (
            <Badge tone="ok">{m.api_docs_everyone()}</Badge>
          )}
        </p>
        <details className="mt-2">
          <summary>{m.api_docs_sends()}</summary>
          {call.sends.length ? <Fields fields={call.sends} marked /> : <p className="text-ink-soft">{m.api_docs_nothing()}</p>}
        </details>
        <details>
          <summary>
            {m.api_docs_answers()} {call.status}
          </summary>
          {call.answers.length ? <Fields fields={call.answers} /> : <p className="text-ink-soft">{m.api_docs_nothing()}</p>}
        </details>
      </article>
    ))}
  </section>
);

/** `marked`: marks required fields. */
const Fields = ({ fields, marked }: { fields: Field[]; marked?: boolean }) => (
  <dl className="divide-y divide-line border-t border-line">
    {fields.map(({ name, form, required }) => (
      <div key={name} className="py-1.5 tab:grid tab:grid-cols-[minmax(12rem,1fr)_2fr] tab:gap-4">
        <dt>
          <code>{name || "·"}</code>
        </dt>
        <dd className="text-ink-soft">
          <span lang="en">{form}</span> {marked && required && <b> {m.api_docs_required()}</b>}
        </dd>
      </div>
    ))}
  </dl>
);

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: m.api_docs_title() }) },
  { name: "description", content: m.api_docs_intro() },
  ...(loaderData ? shareTags({ title: m.api_docs_title(), description: m.api_docs_intro(), origin: loaderData.origin }) : []),
];
