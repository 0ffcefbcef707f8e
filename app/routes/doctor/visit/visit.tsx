import { Form, href } from "react-router";
import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { allergiesWord, readAllergies } from "#app/domains/visit/allergies/known-allergies.ts";
import { VisitForm } from "#app/domains/visit/components/visit-form.tsx";
import { VisitHistory } from "#app/domains/visit/components/visit-history.tsx";
import { stateWord } from "#app/domains/visit/documents/words.ts";
import { ageOfVisit, asksOf } from "#app/domains/visit/encounters/own-visit.server.ts";
import { ADVICE } from "#app/domains/visit/medicines/advice.ts";
import { adviceWord } from "#app/domains/visit/medicines/dose-sentence.ts";
import { hintOf } from "#app/domains/visit/medicines/favourites.server.ts";
import { certificateWords, orderWords, type ShownDocument } from "#app/domains/visit/page/document-words.ts";
import { getVisitPage } from "#app/domains/visit/page/queries.server.ts";
import { besideWords } from "#app/domains/visit/sharing/components/beside-words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, formatTime, timeInIndia } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Badge, Facts, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/visit.ts";
import { submitVisit } from "./visit-page.server.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const page = await getVisitPage(ctx, params.id);
  const { patient, appointmentId, date } = page.visit;
  const last = page.earlier.find((visit) => visit.medicines.length > 0);
  return {
    page: randomToken().slice(0, 22),
    visit: {
      id: params.id,
      name: patient.name,
      asks: asksOf(page.visit),
      date,
      facts: [ageAndSexWord(ageOfVisit(page.visit), patient.gender), formatDate(date)].filter(Boolean).join(", "),
      appointmentId,
    },
    saved: page.saved && {
      draft: page.saved.draft,
      version: page.saved.version,
      savedAt: page.saved.savedAt && formatTime(timeInIndia(page.saved.savedAt)),
      replaces: page.saved.replaces !== null,
      stored: page.saved.id !== null,
    },
    booked: page.booked,
    known: page.known,
    signed: page.signed.map((one) => ({ ...one, badge: stateWord(one.state) })),
    sections: [
      {
        id: "orders",
        title: m.order_list(),
        write: { to: href("/doctor/visits/:id/order", { id: params.id }), text: m.order_write() },
        documents: page.orders.map((one) => orderWords(one, href("/doctor/visits/:id/order", { id: params.id }))),
      },
      {
        id: "certificates",
        title: m.certificate_list(),
        write: { to: href("/doctor/visits/:id/certificate", { id: params.id }), text: m.certificate_write() },
        documents: page.certificates.map(certificateWords),
      },
    ],
    earlier: page.earlier.map((one) => ({ ...one, count: m.visit_medicines({ count: one.medicines.length }) })),
    documents: page.documents,
    shared: page.shared && besideWords(params.id, ctx.actor.userId, page.shared),
    hidden:
      page.shared || !page.visit.hasAccount
        ? null
        : { title: m.sharing_others(), text: m.sharing_others_hidden({ name: page.visit.patient.name }) },
    last: last ? m.visit_last({ date: formatDate(last.date), count: last.medicines.length }) : null,
    favourites: page.favourites.map(({ id, line }) => ({
      id,
      name: line.name,
      hint: hintOf(line),
    })),
    advice: ADVICE.map((key) => ({ key, word: adviceWord(key, language()) })),
  };
});

export const action = ({ context, params, request }: Route.ActionArgs) => submitVisit(actorCtxOf(context), request, params.id);

type Data = Route.ComponentProps["loaderData"];

export default function Visit({ loaderData, actionData }: Route.ComponentProps) {
  const { visit, saved, signed, earlier, documents, booked } = loaderData;
  const answer = actionData && "draft" in actionData ? actionData : null;
  const draft = answer?.draft ?? saved?.draft;
  const known = draft ?? loaderData.known;
  const own = readAllergies(known).what;
  const allergies = [...(own ? [own] : []), ...loaderData.known.byOthers.filter((what) => what.toLowerCase() !== own.toLowerCase())];
  const back = visit.appointmentId ? href("/doctor/patient/:id", { id: visit.appointmentId }) : href("/doctor/queue");
  return (
    <Page wide wizard title={m.visit_title()} titleAs="p" back={{ to: back }} className="visit-page">
      <PatientHead visit={visit} booked={booked} />
      <PatientWarnings
        allergies={allergies}
        known={known}
        noneKnown={draft && readAllergies(draft).none ? null : loaderData.known.noneKnown}
      />
      <div className="desktop:grid desktop:grid-cols-[minmax(0,1fr)_17rem] desktop:gap-6 desktop:items-start">
        <div>
          {signed.map((one) => (
            <Signed key={one.documentId} id={visit.id} signed={one} correcting={saved !== null} />
          ))}
          {saved && draft && (
            <VisitForm
              id={visit.id}
              draft={draft}
              version={answer?.version ?? saved.version}
              page={loaderData.page}
              savedAt={saved.savedAt}
              replaces={saved.replaces}
              asks={visit.asks}
              date={visit.date}
              favourites={loaderData.favourites}
              last={loaderData.last}
              advice={loaderData.advice}
              errors={answer?.errors ?? {}}
              conflict={answer?.conflict ?? null}
            />
          )}
          {loaderData.sections.map((section) => (
            <SignedSection key={section.id} visitId={visit.id} section={section} />
          ))}
          {saved?.stored && (
            <Form method="post" className="mt-4">
              <Button type="submit" variant="quiet" size="sm" className="pl-0 self-start" name="discard" value="1">
                {m.visit_discard()}
              </Button>
            </Form>
          )}
        </div>
        <VisitHistory visitId={visit.id} earlier={earlier} documents={documents} shared={loaderData.shared} hidden={loaderData.hidden} />
      </div>
      {saved && <ReviewDock />}
    </Page>
  );
}

const ReviewDock = () => (
  <Dock>
    <LinkButton to="#history" variant="second" size="lg" className="desktop:hidden">
      {m.visit_history()}
    </LinkButton>
    <Button type="submit" size="lg" className="flex-auto desktop:flex-[0_1_auto] desktop:ms-auto" form="visit" name="review" value="1">
      {m.visit_review()}
    </Button>
  </Dock>
);

/** Allergies and conditions, in view while the doctor writes. */
const PatientWarnings = ({
  allergies,
  known,
  noneKnown,
}: {
  allergies: string[];
  known: Parameters<typeof allergiesWord>[0] & { conditions: string };
  noneKnown: Data["known"]["noneKnown"];
}) => (
  <p className="sticky top-14 z-4 -mx-gutter mb-2 flex flex-wrap gap-x-1.5 gap-y-1 bg-page px-gutter py-2">
    {allergies.map((what) => (
      <Badge key={what} tone="bad" icon="triangle-alert" className="whitespace-normal wrap-anywhere">
        {m.visit_allergy({ what })}
      </Badge>
    ))}
    {allergies.length === 0 && <span className="text-sm text-ink-soft">{allergiesWord({ ...known, noneKnown })}</span>}
    {known.conditions && <Badge className="whitespace-normal wrap-anywhere">{known.conditions}</Badge>}
  </p>
);

const PatientHead = ({ visit, booked }: Pick<Data, "visit" | "booked">) => (
  <header className="[&_h1]:wrap-anywhere">
    <h1>{visit.name}</h1>
    <p className="text-ink-soft">{visit.facts}</p>
    {booked && Object.values(booked).some(Boolean) && (
      <Facts
        className="mt-2 wrap-anywhere"
        items={[
          booked.reason !== "" && [m.appointments_reason(), booked.reason],
          booked.history !== "" && [m.appointments_history(), booked.history],
          booked.note !== "" && [m.appointments_note(), booked.note],
        ]}
      />
    )}
  </header>
);

const SignedSection = ({ visitId, section: { id, title, write, documents } }: { visitId: string; section: Data["sections"][number] }) => (
  <section className="card mt-4" aria-labelledby={`h-${id}`}>
    <h2 id={`h-${id}`} className="mb-3">
      {title}
    </h2>
    {documents.map((one) => (
      <SignedDocument key={one.documentId} id={visitId} document={one} />
    ))}
    <LinkButton to={write.to} variant="second" size="sm">
      {write.text}
    </LinkButton>
  </section>
);

type SignedVisit = Route.ComponentProps["loaderData"]["signed"][number];

/** A signed prescription of this visit: read, print, correct or cancel it. */
function Signed({ id, signed, correcting }: { id: string; signed: SignedVisit; correcting: boolean }) {
  const isValid = signed.state === "signed";
  return (
    <section className="card mt-4">
      <SectionHead>
        <h2>{m.visit_prescription()}</h2>
        <Badge tone={isValid ? "ok" : signed.state === "superseded" ? "warn" : "bad"}>{signed.badge}</Badge>
      </SectionHead>
      {signed.diagnosis && <p>{signed.diagnosis}</p>}
      {signed.signedAnyway && (
        <p className="text-sm">
          <b>{m.visit_signed_anyway()}</b> {signed.signedAnyway}
        </p>
      )}
      <ol className="[&>li]:py-2 [&>li]:px-0 [&>li]:border-t [&>li]:border-t-line">
        {signed.medicines.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: signed lines never change their order
          <li key={i}>
            <b className="uppercase">{one.name}</b> {one.strength}
            <br />
            <span className="text-ink-soft">{one.dose}</span>
          </li>
        ))}
      </ol>
      <Form method="post" className="mt-2">
        <p className="row flex-wrap">
          <LinkButton to={href("/doctor/visits/:id/documents/:documentId", { id, documentId: signed.documentId })} size="sm">
            {m.visit_print()}
          </LinkButton>
          {isValid && !correcting && (
            <Button type="submit" variant="second" size="sm" name="correct" value="1">
              {m.visit_correct()}
            </Button>
          )}
        </p>
        {isValid && (
          <details>
            <summary className="min-h-target py-2">{m.visit_cancel()}</summary>
            <Note tone="warn" className="mb-3">
              {m.visit_cancel_sure()}
            </Note>
            <Button type="submit" variant="danger" size="sm" name="cancel" value={signed.documentId}>
              {m.visit_cancel_yes()}
            </Button>
          </details>
        )}
      </Form>
    </section>
  );
}

/** A signed certificate or order of this visit: print, correct or cancel it. */
function SignedDocument({
  id,
  document: { documentId, title, badge, text, print, results, links, cancel },
}: {
  id: string;
  document: ShownDocument;
}) {
  return (
    <Form method="post" className="pb-3">
      <SectionHead as="p">
        <b>{title}</b>
        <Badge tone={cancel ? "ok" : "bad"}>{badge}</Badge>
      </SectionHead>
      <p>{text}</p>
      {results && results.files.length === 0 && results.none && <p className="text-sm text-ink-soft">{results.none}</p>}
      {results?.files.map((one) => (
        <p key={one.fileId}>
          <a className="row" href={href("/files/:id", { id: one.fileId })}>
            <Icon name="file-text" />
            <span>{one.text}</span>
          </a>
        </p>
      ))}
      <p className="row flex-wrap mt-2">
        <LinkButton to={href("/doctor/visits/:id/documents/:documentId", { id, documentId })} variant="second" size="sm">
          {print}
        </LinkButton>
        {links.map(({ to, text: word }) => (
          <LinkButton key={to} to={to} variant="quiet" size="sm">
            {word}
          </LinkButton>
        ))}
      </p>
      {cancel && (
        <details>
          <summary className="min-h-target py-2">{cancel.open}</summary>
          <Note tone="warn" className="mb-3">
            {cancel.sure}
          </Note>
          <Button type="submit" variant="danger" size="sm" name="cancel" value={documentId}>
            {cancel.yes}
          </Button>
        </details>
      )}
    </Form>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.visit_title() }) }];
