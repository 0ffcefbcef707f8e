import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useLate } from "#app/ui/use-late.ts";
import { CITY_SEARCH_MINIMUM } from "../city-search.ts";
import type { City } from "../location.schema.ts";

/** Spec 001 §9. */
const DEBOUNCE = 300;

type Props = {
  /** The page of this search, and the resource route that returns suggestions and receives the choice. */
  page: string;
  cities: string;
  /** The search text in the page's URL, and its matches. */
  typed: string;
  found: City[];
  from: string;
  /** With JavaScript: handles a choice. */
  onPick: (city: City) => void;
};

/**
 * Search for a city (spec 001 §2.5). Without JavaScript a search form and a list of buttons. With it a combobox that requests
 * suggestions 300 ms after the last key: arrows move, Enter picks the marked city or the first, Escape clears.
 */
export function CitySearch(props: Props) {
  return useHydrated() ? <Combobox {...props} /> : <PlainSearch {...props} />;
}

function PlainSearch({ page, cities, typed, found, from }: Props) {
  return (
    <>
      <form action={page} role="search">
        <input type="hidden" name="from" value={from} />
        <Field>
          <input {...input()} name="q" defaultValue={typed} />
        </Field>
      </form>
      {found.length > 0 && (
        <form method="post" action={cities}>
          <input type="hidden" name="intent" value="city" />
          <input type="hidden" name="from" value={from} />
          <ul className="mt-3" aria-label={m.location_results()}>
            {found.map((city) => (
              <li key={city.id} className="group">
                <button
                  className={classes(CITY, "group-first:rounded-t-lg group-last:rounded-b-lg group-last:border-b")}
                  type="submit"
                  name="city"
                  value={city.id}
                >
                  {city.displayName}
                </button>
              </li>
            ))}
          </ul>
        </form>
      )}
      {typed !== "" && found.length === 0 && <NothingFound />}
    </>
  );
}

/** Returns what the user has typed into the plain form before the scripts arrived, and their place in it. */
function readPlainField(): { text: string; hasFocus: boolean } | null {
  const plain = typeof document === "undefined" ? null : document.getElementById(input().id);
  return plain instanceof HTMLInputElement ? { text: plain.value, hasFocus: document.activeElement === plain } : null;
}

/**
 * Requests the suggestions for a text after a pause, and marks one of them. `pickFirst` picks the first one as soon as the suggestions for the current
 * text arrive.
 */
function useSuggestions({ cities, typed, found, onPick }: Props, text: string) {
  const [answer, setAnswer] = useState<{ text: string; found: City[] } | null>(typed ? { text: typed, found } : null);
  const [marked, setMarked] = useState(-1);
  const [asking, setAsking] = useState(false);
  const busy = useLate(asking);
  const wanted = text.trim();
  const enough = wanted.length >= CITY_SEARCH_MINIMUM;

  /** The text for which Enter was pressed before its suggestions arrived. */
  const eager = useRef("");
  const pick = useRef(onPick);
  pick.current = onPick;

  useEffect(() => {
    if (!enough || answer?.text === wanted) return;
    const work = new AbortController();
    const timer = setTimeout(async () => {
      setAsking(true);
      try {
        const response = await fetch(`${cities}?q=${encodeURIComponent(wanted)}`, { signal: work.signal });
        if (!response.ok) return;
        const suggestions = (await response.json()) as City[];
        setAnswer({ text: wanted, found: suggestions });
        setMarked(-1);
        if (eager.current === wanted && suggestions[0]) pick.current(suggestions[0]);
      } catch {
        // Aborted by the next key, or offline: the next key tries again.
      } finally {
        if (!work.signal.aborted) setAsking(false);
      }
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      work.abort();
      setAsking(false);
    };
  }, [answer?.text, cities, enough, wanted]);

  return {
    // Ignores suggestions for an earlier text: Enter must not pick from them.
    current: enough && answer?.text === wanted ? answer.found : null,
    marked,
    setMarked,
    busy,
    pickFirst: () => {
      eager.current = wanted;
    },
  };
}

function Combobox(props: Props) {
  const { typed, onPick } = props;
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [before] = useState(readPlainField);
  const [text, setText] = useState(before?.text ?? typed);
  useEffect(() => {
    if (before?.hasFocus) field.current?.focus();
  }, [before]);
  const { current, marked, setMarked, busy, pickFirst } = useSuggestions(props, text);
  const onKeyDown = (event: KeyboardEvent) => {
    const last = (current?.length ?? 0) - 1;
    if (event.key === "ArrowDown") setMarked(Math.min(last, marked + 1));
    else if (event.key === "ArrowUp") setMarked(Math.max(0, marked - 1));
    else if (event.key === "Escape") {
      setText("");
      setMarked(-1);
    } else return;
    event.preventDefault();
  };
  const optionId = (i: number) => `${list}-${i}`;
  return (
    <>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const city = current?.[marked] ?? current?.[0];
          if (city) onPick(city);
          else pickFirst();
        }}
      >
        <Field>
          <input
            {...input()}
            ref={field}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            role="combobox"
            aria-busy={busy || undefined}
            aria-autocomplete="list"
            aria-expanded={(current?.length ?? 0) > 0}
            aria-controls={list}
            aria-activedescendant={current && marked >= 0 ? optionId(marked) : undefined}
          />
        </Field>
      </form>
      <p className="sr-only" role="status">
        {current && current.length > 0 ? m.location_results_count({ count: current.length }) : ""}
      </p>
      <div className="mt-3 empty:hidden" id={list} role="listbox" aria-label={m.location_results()}>
        {current?.map((city, i) => (
          <CityOption key={city.id} id={optionId(i)} city={city} isMarked={i === marked} onPick={onPick} />
        ))}
      </div>
      <div role="status">{current?.length === 0 && <NothingFound />}</div>
    </>
  );
}

type OptionProps = Pick<Props, "onPick"> & { id: string; city: City; isMarked: boolean };
const CityOption = ({ id, city, isMarked, onPick }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
  <div
    id={id}
    className={classes(
      CITY,
      "first:rounded-t-lg last:rounded-b-lg last:border-b aria-selected:bg-brand-soft aria-selected:font-bold aria-selected:text-brand-strong",
    )}
    role="option"
    tabIndex={-1}
    aria-selected={isMarked}
    onClick={() => onPick(city)}
    onMouseDown={(event) => event.preventDefault()}
  >
    {city.displayName}
  </div>
);

const CITY =
  "flex min-h-target w-full cursor-pointer items-center border border-line border-b-0 bg-card px-4 py-2 text-start hover:bg-brand-soft hover:text-brand-strong";

const input = () =>
  ({
    className: "input",
    id: "place",
    type: "search",
    placeholder: m.location_search_placeholder(),
    maxLength: 100,
    autoComplete: "off",
    "aria-describedby": "place-hint",
  }) as const;

function Field({ children }: { children: ReactNode }) {
  return (
    <>
      <label className="label" htmlFor="place">
        {m.location_search_label()}
      </label>
      <p className="text-sm text-ink-soft" id="place-hint">
        {m.location_search_hint()}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <div className="search flex-[1_1_12rem]">
          <Icon name="search" />
          {children}
        </div>
        <Button type="submit" variant="second">
          {m.location_search()}
        </Button>
      </div>
    </>
  );
}

const NothingFound = () => (
  <div className="mt-2">
    <EmptyState title={m.location_none_title()}>{m.location_none_text()}</EmptyState>
  </div>
);
