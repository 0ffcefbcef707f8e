import { type FormEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { data, Form, useNavigation, useRevalidator, useSubmit } from "react-router";
import { HospitalList, HospitalNow } from "#app/domains/emergency/components/hospitals.tsx";
import { SosSchema } from "#app/domains/emergency/emergency.schema.ts";
import { endRun, findRun, IDLE, locate, loseLocation, pressSos, stopRun } from "#app/domains/emergency/run.server.ts";
import { problemWord } from "#app/domains/emergency/words.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { clearSosCookie, sosCookie, sosIdOf } from "#app/http/sos-cookie.server.ts";
import { readForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { type PageHandle, useLite } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Languages } from "#app/ui/languages.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/emergency-contact.ts";

/** The numbers stand here for anybody, on any line, with the database away: nothing on this page may wait for anything. */
export const handle: PageHandle = { sos: true };

const HERE = "/patient/emergency-contact";
const PART = "emergency";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  try {
    return await findRun(ctxOf(context), sosIdOf(request));
  } catch (error) {
    noteFault(error, PART);
    return IDLE;
  }
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const id = sosIdOf(request);
  const { formData } = await readForm(request).catch(() => ({ formData: new FormData() }));
  const parsed = SosSchema.safeParse(Object.fromEntries(formData));
  // Whatever came: somebody pressed a button on this page.
  const input = parsed.data ?? { intent: "press" as const };
  try {
    switch (input.intent) {
      case "press":
        return redirectTo(HERE, { cookies: [sosCookie(await pressSos(ctx))] });
      case "place":
      case "locate": {
        if (input.intent === "place" && !input.place) return data({ view: null, placeMissing: true }, { status: 400 });
        const located = await locate(ctx, id, input.intent === "place" ? { typed: input.place } : input);
        for (const fault of located.faults) noteFault(fault, PART);
        if (located.id) return redirectTo(HERE, { cookies: [sosCookie(located.id)] });
        return data({ view: located.view, placeMissing: false });
      }
      case "lost":
        return redirectTo(HERE, { cookies: [sosCookie(await loseLocation(ctx, id, input.reason))] });
      case "stop":
        if (id) await stopRun(ctx, id);
        return redirectTo(HERE);
      case "over":
        if (id) await endRun(ctx, id);
        return redirectTo(HERE, { cookies: [clearSosCookie()] });
    }
  } catch (error) {
    noteFault(error, PART);
    // Nothing can be kept: the numbers stand on the page, and the place can still be searched from the maps.
    const problem = input.intent === "lost" ? input.reason : ("unknown" as const);
    return data({ view: { ...IDLE, state: "ERROR" as const, problem }, placeMissing: false });
  }
}

/** A question of the browser that nobody answers ends here; its own timeout begins only after the answer. */
const PATIENCE = 15_000;
/** What the browser may do to tell a position: an emergency does not wait for the best one. */
const POSITION: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 300_000 };

/** With JavaScript one press asks the browser and sends what it says; `asking` while the browser thinks. */
function usePosition() {
  const submit = useSubmit();
  const [asking, setAsking] = useState(false);
  const answered = useRef(false);
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** A clock that runs on would cut the next question short. */
  const close = () => {
    clearTimeout(patience.current);
    answered.current = true;
    setAsking(false);
  };
  const send = (fields: Record<string, string>) => {
    if (answered.current) return;
    close();
    void submit(fields, { method: "post", action: HERE });
  };
  const ask = (event: { preventDefault(): void }) => {
    if (!("geolocation" in navigator)) return;
    event.preventDefault();
    if (asking) return;
    setAsking(true);
    answered.current = false;
    patience.current = setTimeout(send, PATIENCE, { intent: "lost", reason: "no-location" });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => send({ intent: "locate", latitude: String(coords.latitude), longitude: String(coords.longitude) }),
      ({ code }) => send({ intent: "lost", reason: code === 1 ? "denied" : "no-location" }),
      POSITION,
    );
  };
  return { asking, ask, giveUp: close };
}

/** With JavaScript: asks the server again when the next hospital's turn comes. Every answer starts the clock anew. */
function useClock(view: View) {
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state !== "idle";
  useEffect(() => {
    const seconds = view.state === "FINDING_HOSPITALS" ? 2 : view.left;
    if (busy || seconds <= 0) return;
    const timer = setTimeout(() => void revalidate(), seconds * 1000 + 300);
    return () => clearTimeout(timer);
  }, [view, busy, revalidate]);
}

export default function EmergencyContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const view = actionData?.view ?? loaderData;
  const { asking, ask, giveUp } = usePosition();
  const sent = useNavigation().formData?.get("intent");
  const searching = sent === "locate" || sent === "place";
  const placeMissing = actionData?.placeMissing ?? false;
  const idle = view.state === "IDLE" && !asking && !searching;
  const lite = useLite();
  useClock(view);
  return (
    <div className={idle ? "app" : "app sos-run"}>
      <Page title={m.emergency_title()} back={{ to: "/choose-role" }} actions={<Languages others from={HERE} />} wide className="sosgrid">
        <Numbers />
        <div>
          <div aria-live="polite">
            {searching ? (
              <Finding />
            ) : asking ? (
              <Getting giveUp={giveUp} />
            ) : (
              <Standing view={view} ask={ask} placeMissing={placeMissing} lite={lite} />
            )}
          </div>
          {(view.state === "IDLE" || view.state === "COMPLETED") && <WhileWaiting />}
        </div>
      </Page>
    </div>
  );
}

function Numbers() {
  return (
    <section className="calls" aria-label={m.emergency_call_now()}>
      <a className="call first" href="tel:108">
        <Icon name="ambulance" />
        <span>
          <b>108</b>
          {m.emergency_108()}
        </span>
      </a>
      <a className="call" href="tel:112">
        <Icon name="phone" />
        <span>
          <b>112</b>
          {m.emergency_112()}
        </span>
      </a>
      <p className="small soft tip">{m.emergency_no_internet()}</p>
    </section>
  );
}

type View = Route.ComponentProps["loaderData"];
type Ask = (event: { preventDefault(): void }) => void;

function Standing({ view, ask, placeMissing, lite }: { view: View; ask: Ask; placeMissing: boolean; lite: boolean }) {
  switch (view.state) {
    case "IDLE":
      return placeMissing ? <Where missing ask={ask} /> : <Press ask={ask} />;
    case "GETTING_LOCATION":
      return <Where missing={placeMissing} ask={ask} />;
    case "FINDING_HOSPITALS":
      return (
        <>
          <Again seconds={2} lite={lite} />
          <Finding />
        </>
      );
    case "CONTACTING":
      return <Contacting view={view} lite={lite} />;
    case "COMPLETED":
      return <Completed view={view} />;
    case "ERROR":
      return <Failed view={view} missing={placeMissing} />;
  }
}

/** Without scripts the page asks again by itself. A page that was sent without them runs none, whatever its browser could. */
function Again({ seconds, lite }: { seconds: number; lite: boolean }) {
  const refresh = <meta httpEquiv="refresh" content={`${seconds};url=${HERE}`} />;
  return lite ? refresh : <noscript>{refresh}</noscript>;
}

/** One form with one button; `ask` may take the press over. */
function One({ intent, onPress, children }: { intent: string; onPress?: Ask; children: ReactNode }) {
  return (
    <Form method="post" action={HERE} onSubmit={onPress && ((event: FormEvent) => onPress(event))}>
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

function Press({ ask }: { ask: Ask }) {
  return (
    <section aria-labelledby="find">
      <h2 id="find" className="center">
        {m.emergency_find_title()}
      </h2>
      <One intent="press" onPress={ask}>
        <button type="submit" className="press">
          {m.emergency_press()}
          <small>{m.emergency_press_here()}</small>
        </button>
      </One>
      <p className="center soft">{m.emergency_press_explain()}</p>
      <Note tone="warn" icon="triangle-alert">
        {m.emergency_only_real()}
      </Note>
    </section>
  );
}

/** A hand that shakes presses twice: the second press is not meant for what has come in the button's place. Milliseconds. */
const SECOND_PRESS = 700;

function Getting({ giveUp }: { giveUp: () => void }) {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = Date.now();
  }, []);
  const steady = (event: MouseEvent<HTMLElement>) => {
    const isEmpty = event.currentTarget.querySelector("input")?.value === "";
    if (isEmpty && Date.now() - shownAt.current < SECOND_PRESS) event.preventDefault();
  };
  return (
    <section className="stack" onClickCapture={steady}>
      <h2 className="wait">{m.emergency_getting_title()}</h2>
      <p className="soft">{m.emergency_getting_text()}</p>
      <PlaceForm missing={false} onSend={giveUp} />
    </section>
  );
}

function Finding() {
  return (
    <section>
      <h2 className="wait">{m.emergency_finding_title()}</h2>
      <p className="soft">{m.emergency_finding_text()}</p>
    </section>
  );
}

/** Where the browser does not tell, the person does. */
function Where({ missing, ask }: { missing: boolean; ask?: Ask }) {
  const hydrated = useHydrated();
  return (
    <section aria-labelledby="where" className="stack">
      <h2 id="where">{m.emergency_place_title()}</h2>
      {ask && hydrated && (
        <One intent="press" onPress={ask}>
          <SubmitButton size="lg" full icon="map-pin">
            {m.emergency_place_use_position()}
          </SubmitButton>
        </One>
      )}
      <PlaceForm missing={missing} />
      <One intent="over">
        <SubmitButton variant="quiet" full>
          {m.emergency_start_over()}
        </SubmitButton>
      </One>
    </section>
  );
}

function PlaceForm({ missing, onSend }: { missing: boolean; onSend?: () => void }) {
  return (
    <Form method="post" action={HERE} className="stack" onSubmit={onSend}>
      <div>
        <label className="label" htmlFor="place">
          {m.emergency_place_label()}
        </label>
        <p className="small soft" id="place-hint">
          {m.emergency_place_hint()}
        </p>
        <input
          className="input"
          id="place"
          name="place"
          type="text"
          required
          maxLength={100}
          autoComplete="address-level2"
          aria-describedby={missing ? "place-hint place-error" : "place-hint"}
          aria-invalid={missing || undefined}
        />
        {missing && (
          <p className="err" id="place-error" role="alert">
            {m.emergency_place_required()}
          </p>
        )}
      </div>
      <SubmitButton name="intent" value="place" variant="danger" size="lg" full icon="search">
        {m.emergency_place_find()}
      </SubmitButton>
    </Form>
  );
}

function Contacting({ view, lite }: { view: View; lite: boolean }) {
  const { hospitals, index, left } = view;
  const now = hospitals[index];
  // A run that could not be kept has no clock on the server: it shows the list, and nothing moves by itself.
  const kept = left > 0;
  return (
    <section className="stack" aria-labelledby={kept ? "now" : undefined} aria-label={kept ? undefined : m.emergency_more()}>
      {kept && <Again seconds={left + 1} lite={lite} />}
      {kept && now && <HospitalNow hospital={now} index={index} total={hospitals.length} left={left} />}
      <HospitalList hospitals={kept ? hospitals.slice(index + 1) : hospitals} first={kept ? index + 1 : 0} next={kept} />
      {kept && (
        <One intent="stop">
          <SubmitButton variant="second" size="lg" full icon="circle-check">
            {m.emergency_stop()}
          </SubmitButton>
        </One>
      )}
      <One intent="over">
        <SubmitButton variant="quiet" full icon="refresh-cw">
          {m.emergency_start_over()}
        </SubmitButton>
      </One>
    </section>
  );
}

function Completed({ view }: { view: View }) {
  return (
    <section className="stack" aria-labelledby="done">
      <h2 id="done">{m.emergency_completed_title()}</h2>
      <p>{m.emergency_completed_text()}</p>
      <HospitalList hospitals={view.hospitals} first={0} />
      <One intent="over">
        <SubmitButton variant="second" size="lg" full icon="refresh-cw">
          {m.emergency_start_over()}
        </SubmitButton>
      </One>
    </section>
  );
}

function Failed({ view, missing }: { view: View; missing: boolean }) {
  return (
    <section className="stack" aria-labelledby="failed">
      <h2 id="failed">{m.emergency_error_title()}</h2>
      <Note tone="bad" icon="triangle-alert" role="alert">
        {problemWord(view.problem ?? "unknown")}
      </Note>
      <One intent="over">
        <SubmitButton variant="second" size="lg" full icon="refresh-cw">
          {m.emergency_try_again()}
        </SubmitButton>
      </One>
      <PlaceForm missing={missing} />
    </section>
  );
}

function WhileWaiting() {
  return (
    <section aria-labelledby="wait">
      <h2 id="wait">{m.emergency_wait_title()}</h2>
      <ol className="flow">
        {[
          m.emergency_wait_say(),
          m.emergency_wait_stay(),
          m.emergency_wait_breathe(),
          m.emergency_wait_press(),
          m.emergency_wait_bleed(),
          m.emergency_wait_nothing(),
        ].map((step, i) => (
          <li key={step}>
            <span className="n">{i + 1}</span>
            <p className="grow">{step}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

export const meta = () => [{ title: m.common_title({ page: m.emergency_title() }) }];
