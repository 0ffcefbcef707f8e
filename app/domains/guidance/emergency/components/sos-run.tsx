import { type FormEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Form, href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { SubmitButton } from "#app/ui/button.tsx";
import { ErrorText, Note } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { EmergencyView } from "../emergency.state.ts";
import { problemWord } from "../words.ts";
import { HospitalList, HospitalNow } from "./hospitals.tsx";

export const SOS_PATH = href("/patient/emergency-contact");

/** For `handle.refresh`: without JavaScript the page reloads during the search, and for the next hospital. */
export function refreshRun(loaderData: unknown): string | null {
  const { state, left } = (loaderData as { view: EmergencyView }).view;
  if (state === "FINDING_HOSPITALS") return `2;url=${SOS_PATH}`;
  return state === "CONTACTING" && left > 0 ? `${left + 1};url=${SOS_PATH}` : null;
}

type Ask = (event: { preventDefault(): void }) => void;
/** Text of the place field, preserved between states of the run. */
type Typed = RefObject<string>;

/** The city that the person has chosen before. */
type City = { id: number; name: string } | null;

type RunProps = { view: EmergencyView; ask: Ask; typed: Typed; placeMissing: boolean; city: City };

/** The page of each state of a run. */
export function RunView({ view, ask, typed, placeMissing, city }: RunProps) {
  switch (view.state) {
    case "IDLE":
      return placeMissing ? <Where missing ask={ask} typed={typed} city={city} /> : <Press ask={ask} />;
    case "GETTING_LOCATION":
      return <Where missing={placeMissing} ask={ask} typed={typed} city={city} />;
    case "FINDING_HOSPITALS":
      return <Finding />;
    case "CONTACTING":
      return <Contacting view={view} />;
    case "COMPLETED":
      return <Completed view={view} />;
    case "ERROR":
      return <Failed view={view} missing={placeMissing} typed={typed} city={city} />;
  }
}

/** A form with one button. `ask` may handle the press. */
function One({ intent, onPress, children }: { intent: string; onPress?: Ask; children: ReactNode }) {
  return (
    <Form method="post" action={SOS_PATH} onSubmit={onPress && ((event: FormEvent) => onPress(event))}>
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

function Press({ ask }: { ask: Ask }) {
  return (
    <section aria-labelledby="find">
      <h2 id="find" className="text-center">
        {m.emergency_find_title()}
      </h2>
      <One intent="press" onPress={ask}>
        <button
          type="submit"
          className="mx-auto my-5 grid aspect-square w-[min(13rem,100%)] cursor-pointer place-content-center place-items-center rounded-full border-[0.875rem] border-sos-soft bg-sos bg-clip-padding text-[3.25rem] leading-none font-bold tracking-[0.03em] text-on-sos [box-shadow:0_0_0_2px_var(--color-sos)] active:bg-sos-strong aria-busy:cursor-progress desktop:w-68 desktop:text-[4.5rem]"
        >
          {m.emergency_press()}
          <small className="mt-1.5 max-w-36 text-center text-base leading-tight font-medium tracking-normal text-balance">
            {m.emergency_press_here()}
          </small>
        </button>
      </One>
      <p className="text-center text-ink-soft">{m.emergency_press_explain()}</p>
      <Note tone="warn" icon="triangle-alert" className="mt-4">
        {m.emergency_only_real()}
      </Note>
    </section>
  );
}

const Looking = ({ children }: { children: ReactNode }) => (
  <h2 className="flex items-center gap-3 before:size-6 before:flex-none before:animate-spin before:rounded-full before:border-3 before:border-line before:border-t-sos motion-reduce:before:[animation-duration:4s]">
    {children}
  </h2>
);

/** Milliseconds in which a second press of a shaking hand is ignored, because the button has changed meanwhile. */
const SECOND_PRESS = 700;

/** While the browser determines the position. */
export function Getting({ giveUp, typed }: { giveUp: () => void; typed: Typed }) {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = Date.now();
  }, []);
  const steady = (event: MouseEvent<HTMLElement>) => {
    const isEmpty = event.currentTarget.querySelector("input")?.value === "";
    if (isEmpty && Date.now() - shownAt.current < SECOND_PRESS) event.preventDefault();
  };
  return (
    <section className="space-y-4" onClickCapture={steady}>
      <Looking>{m.emergency_getting_title()}</Looking>
      <p className="text-ink-soft">{m.emergency_getting_text()}</p>
      <PlaceForm missing={false} onSend={giveUp} typed={typed} />
    </section>
  );
}

export function Finding() {
  return (
    <section>
      <Looking>{m.emergency_finding_title()}</Looking>
      <p className="text-ink-soft">{m.emergency_finding_text()}</p>
    </section>
  );
}

/** Asks for a typed place, when the browser has no position. */
function Where({ missing, ask, typed, city }: { missing: boolean; ask: Ask; typed: Typed; city: City }) {
  const hydrated = useHydrated();
  return (
    <section aria-labelledby="where" className="space-y-4">
      <h2 id="where">{m.emergency_place_title()}</h2>
      {hydrated && (
        <One intent="press" onPress={ask}>
          <SubmitButton size="lg" full icon="map-pin">
            {m.emergency_place_use_position()}
          </SubmitButton>
        </One>
      )}
      <NearCity city={city} />
      <PlaceForm missing={missing} typed={typed} />
      <One intent="over">
        <SubmitButton variant="quiet" full>
          {m.emergency_start_over()}
        </SubmitButton>
      </One>
    </section>
  );
}

/** Problems after which the chosen city can still be searched. */
const NOT_LOCATED: ReadonlySet<EmergencyView["problem"]> = new Set(["denied", "no-location", "unknown-place"]);

/** One press for the city that was chosen before. */
function NearCity({ city }: { city: City }) {
  if (!city) return null;
  return (
    <One intent="city">
      <SubmitButton name="city" value={String(city.id)} variant="danger" size="lg" full icon="search">
        {m.emergency_place_find_near({ city: city.name })}
      </SubmitButton>
    </One>
  );
}

function PlaceForm({ missing, typed, onSend }: { missing: boolean; typed: Typed; onSend?: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The browser answered while the user was typing: returns the focus to the field.
    if (field.current && typed.current && document.activeElement === document.body) field.current.focus();
  }, [typed]);
  return (
    <Form method="post" action={SOS_PATH} className="space-y-4" onSubmit={onSend}>
      <div>
        <label className="label" htmlFor="place">
          {m.emergency_place_label()}
        </label>
        <p className="text-sm text-ink-soft" id="place-hint">
          {m.emergency_place_hint()}
        </p>
        <input
          ref={field}
          className="input"
          id="place"
          defaultValue={typed.current}
          onInput={(event) => {
            typed.current = event.currentTarget.value;
          }}
          name="place"
          type="text"
          required
          maxLength={100}
          autoComplete="address-level2"
          aria-describedby={missing ? "place-hint place-error" : "place-hint"}
          aria-invalid={missing || undefined}
        />
        {missing && (
          <ErrorText id="place-error" role="alert">
            {m.emergency_place_required()}
          </ErrorText>
        )}
      </div>
      <SubmitButton name="intent" value="place" variant="danger" size="lg" full icon="search">
        {m.emergency_place_find()}
      </SubmitButton>
    </Form>
  );
}

function Contacting({ view }: { view: EmergencyView }) {
  const { hospitals, index, left } = view;
  const now = hospitals[index];
  // A run that could not be stored has no timer on the server: it shows the list without moving on.
  const isStored = left > 0;
  return (
    <section className="space-y-4" aria-labelledby={isStored ? "now" : undefined} aria-label={isStored ? undefined : m.emergency_more()}>
      {isStored && now && <HospitalNow hospital={now} index={index} total={hospitals.length} left={left} />}
      <HospitalList hospitals={hospitals} {...(isStored ? { current: index } : {})} />
      {isStored && (
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

function Completed({ view }: { view: EmergencyView }) {
  return (
    <section className="space-y-4" aria-labelledby="done">
      <h2 id="done">{view.stopped ? m.emergency_stopped_title() : m.emergency_completed_title()}</h2>
      <p>{view.stopped ? m.emergency_stopped_text() : m.emergency_completed_text()}</p>
      <HospitalList hospitals={view.hospitals} />
      <One intent="over">
        <SubmitButton variant="second" size="lg" full icon="refresh-cw">
          {m.emergency_start_over()}
        </SubmitButton>
      </One>
    </section>
  );
}

function Failed({ view, missing, typed, city }: { view: EmergencyView; missing: boolean; typed: Typed; city: City }) {
  return (
    <section className="space-y-4" aria-labelledby="failed">
      <h2 id="failed">{m.emergency_error_title()}</h2>
      <Note tone="bad" icon="triangle-alert" role="alert">
        {problemWord(view.problem ?? "unknown")}
      </Note>
      {NOT_LOCATED.has(view.problem) && <NearCity city={city} />}
      <One intent="over">
        <SubmitButton variant="second" size="lg" full icon="refresh-cw">
          {m.emergency_try_again()}
        </SubmitButton>
      </One>
      <PlaceForm missing={missing} typed={typed} />
    </section>
  );
}
