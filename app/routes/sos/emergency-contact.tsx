import { type FormEvent, useRef } from "react";
import { data, href, useNavigation, useSubmit } from "react-router";
import { homeOf } from "#app/areas.ts";
import { AfterEnquiry } from "#app/domains/guidance/emergency/components/after-enquiry.tsx";
import { Numbers, SOS_COLUMNS, WhileWaiting } from "#app/domains/guidance/emergency/components/first-help.tsx";
import { Finding, Getting, RunView, refreshRun, SOS_PATH } from "#app/domains/guidance/emergency/components/sos-run.tsx";
import { useNoNetwork } from "#app/domains/guidance/emergency/components/use-no-network.ts";
import { usePosition } from "#app/domains/guidance/emergency/components/use-position.tsx";
import { SosSchema } from "#app/domains/guidance/emergency/emergency.schema.ts";
import { IDLE } from "#app/domains/guidance/emergency/emergency.state.ts";
import { endRun, findRun, locate, loseLocation, pressSos, stopRun } from "#app/domains/guidance/emergency/run.server.ts";
import { readEnquiry } from "#app/domains/guidance/enquiry/components/enquiry-paths.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { ctxOf } from "#app/http/context.ts";
import { readCookie, writeCookie } from "#app/http/cookies.server.ts";
import { load } from "#app/http/load.server.ts";
import { ownPlaceOf } from "#app/http/place.server.ts";
import { shareTags } from "#app/http/public-page.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { readSession } from "#app/http/session.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { readWrote } from "#app/http/wrote-cookie.server.ts";
import { within } from "#app/lib/within.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { Languages } from "#app/ui/languages.tsx";
import { NetworkNote } from "#app/ui/no-network.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Page } from "#app/ui/shell.tsx";
import { useOpenAtTop } from "#app/ui/use-open-at-top.ts";
import type { Route } from "./+types/emergency-contact.ts";

/** Cookie with the random id of an SOS request. */
const NAME = "nadi_sos";
const LIFE = 60 * 60;

const sosIdOf = (request: Request) => readCookie(request.headers.get("cookie"), NAME);
const sosCookie = (id: string) => writeCookie(NAME, id, LIFE);
const clearSosCookie = () => writeCookie(NAME, "", 0);

/** The emergency numbers must be seen on any connection and without the database: nothing on this page may delay it. */
export const handle: PageHandle = { session: false, urgent: true, refresh: refreshRun };

const PART = "emergency";

/** Timeout of what only makes the page more convenient, in milliseconds. */
const CONVENIENCE = 300;

export const loader = load(async ({ context, request, url }: Route.LoaderArgs) => {
  const { origin } = env().appUrl;
  const page = { origin, enquiry: readEnquiry(url.searchParams.get("enquiry")), wrote: readWrote(request) };
  const [view, person] = await Promise.all([
    orElse(IDLE, findRun(ctxOf(context), sosIdOf(request))),
    orElse(
      { home: null, city: null },
      within(CONVENIENCE, personOf(context, request), () => new Error("no session in time")),
    ),
  ]);
  return { view, ...person, ...page };
});

const orElse = <T,>(otherwise: T, work: Promise<T>) =>
  work.catch((error: unknown) => {
    noteFault(error, PART);
    return otherwise;
  });

/** Returns where "Back" leads a user who is logged in, and the city that the person has chosen. */
async function personOf(context: Route.LoaderArgs["context"], request: Request) {
  const session = await readSession(ctxOf(context), request.headers.get("cookie"));
  const place = await ownPlaceOf(context, request, session);
  return { home: session && homeOf(session.role), city: place && { id: place.cityId, name: placeWord(place.name) } };
}

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const id = sosIdOf(request);
  const { formData } = await readForm(request).catch(() => ({ formData: new FormData() }));
  const parsed = SosSchema.safeParse(Object.fromEntries(formData));
  // An invalid post counts as a press of SOS.
  const input = parsed.data ?? { intent: "press" as const };
  try {
    switch (input.intent) {
      case "press":
        return redirectTo(SOS_PATH, { cookies: [sosCookie(await pressSos(ctx))] });
      case "place":
      case "city":
      case "locate": {
        if (input.intent === "place" && !input.place) return data({ view: null, placeMissing: true }, { status: 400 });
        const located = await locate(ctx, id, input.intent === "place" ? { typed: input.place } : input);
        for (const fault of located.faults) noteFault(fault, PART);
        if (located.id) return redirectTo(SOS_PATH, { cookies: [sosCookie(located.id)] });
        return data({ view: located.view, placeMissing: false });
      }
      case "lost":
        return redirectTo(SOS_PATH, { cookies: [sosCookie(await loseLocation(ctx, id, input.reason))] });
      case "stop":
        if (id) await stopRun(ctx, id);
        return redirectTo(SOS_PATH);
      case "over":
        if (id) await endRun(ctx, id);
        return redirectTo(SOS_PATH, { cookies: [clearSosCookie()] });
    }
  } catch (error) {
    noteFault(error, PART);
    // Nothing can be stored: the numbers are on the page, and maps can still be searched.
    const problem = input.intent === "lost" ? input.reason : ("unknown" as const);
    return data({ view: { ...IDLE, state: "ERROR" as const, problem }, placeMissing: false });
  }
}

export default function EmergencyContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const view = actionData?.view ?? loaderData.view;
  const navigation = useNavigation();
  const { network, press, sending } = useSending(navigation.state !== "idle" || (actionData !== undefined && "unsent" in actionData));
  const { asking, ask, giveUp, typed } = usePosition(sending);
  const sent = navigation.formData?.get("intent");
  const searching = sent === "locate" || sent === "place" || sent === "city";
  const placeMissing = actionData?.placeMissing ?? false;
  const idle = view.state === "IDLE" && !asking && !searching;
  useOpenAtTop();
  useReloadAt(view.state === "FINDING_HOSPITALS" ? 2 : view.left, view);
  return (
    <div className="flex flex-1 flex-col" onSubmit={press}>
      <Page
        title={m.emergency_title()}
        back={{ to: loaderData.home ?? href("/choose-role") }}
        actions={<Languages others {...(loaderData.enquiry ? {} : { from: SOS_PATH })} />}
        wide
        className={SOS_COLUMNS}
      >
        <Numbers wrote={loaderData.wrote} compact={!idle}>
          {network ? <NetworkNote state={network} /> : undefined}
        </Numbers>
        <div className="mt-6 desktop:mt-0">
          {loaderData.enquiry && <AfterEnquiry {...loaderData.enquiry} />}
          <div aria-live="polite">
            {searching ? (
              <Finding />
            ) : asking ? (
              <Getting giveUp={giveUp} typed={typed} />
            ) : (
              <RunView view={view} ask={ask} typed={typed} placeMissing={placeMissing} city={loaderData.city} />
            )}
          </div>
          {(view.state === "IDLE" || view.state === "COMPLETED") && <WhileWaiting />}
        </div>
      </Page>
    </div>
  );
}

/** Checks the network at each press, and sends what did not arrive when it is back. `isOpen`: the last one has no answer. */
function useSending(isOpen: boolean) {
  const submit = useSubmit();
  const last = useRef<Record<string, string>>(undefined);
  const { network, check } = useNoNetwork(() => {
    if (isOpen && last.current) void submit(last.current, { method: "post", action: SOS_PATH });
  });
  const sending = (fields: Record<string, string>) => {
    last.current = fields;
    void check();
  };
  const press = ({ target, nativeEvent }: FormEvent) => {
    const { submitter } = nativeEvent as SubmitEvent;
    const fields = [...new FormData(target as HTMLFormElement, submitter)];
    sending(Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === "string")));
  };
  return { network, press, sending };
}

/** Without alternate links, because this page has the smallest size of all. */
export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.common_title({ page: m.emergency_title() }) },
  { name: "description", content: m.emergency_description() },
  ...(loaderData ? shareTags({ title: m.emergency_title(), description: m.emergency_description(), origin: loaderData.origin }) : []),
];
