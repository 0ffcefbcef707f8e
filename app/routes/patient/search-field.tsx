import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import { FEWEST_LETTERS, SUGGESTION_KINDS, type Suggestion, type SuggestionKind } from "#app/domains/directory/suggestions/suggestion.ts";
import { SearchDanger } from "#app/domains/guidance/emergency/components/search-danger.tsx";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { useLite } from "#app/ui/document.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import script from "./suggest.js?url&no-inline";
import type { Suggestions } from "./suggestions.ts";

/** The script of the field on pages without those of the app: `handle = { script: SUGGEST_SCRIPT }`. */
export const SUGGEST_SCRIPT = script;

/** After the last key, in milliseconds. */
const PAUSE = 250;

const KINDS: Record<SuggestionKind, { icon: IconName; name: () => string }> = {
  doctor: { icon: "user-round", name: () => m.front_kind_doctor() },
  specialty: { icon: "stethoscope", name: () => m.front_kind_specialty() },
  illness: { icon: "heart-pulse", name: () => m.front_kind_illness() },
  hospital: { icon: "hospital", name: () => m.front_kind_hospital() },
  area: { icon: "map-pin", name: () => m.front_kind_area() },
};

/**
 * The search of the first pages. With scripts it suggests while the user types: the arrows move, Enter opens the marked one or searches, Escape
 * closes. The field is never replaced, so that what was typed before the scripts arrived stays.
 */
export function SearchField({
  label,
  placeholder,
}: {
  label: string;
  /** Replaces the visible label and the button. */
  placeholder?: string;
}) {
  const list = useId();
  const lite = useLite();
  const { field, found, danger, marked, setText, onKeyDown } = useSuggestions();
  return (
    <form role="search" action={href("/doctorspages/Cards-data")} className="mt-2.5">
      <label htmlFor="q" className={placeholder ? "sr-only" : "mb-2 block font-bold"}>
        {label}
      </label>
      <div className="row flex-wrap">
        <div className="search grow">
          <Icon name="search" />
          <input
            ref={field}
            className="input"
            id="q"
            name="q"
            type="search"
            maxLength={100}
            placeholder={placeholder}
            autoComplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            {...(found.length > 0 && {
              role: "combobox",
              "aria-autocomplete": "list" as const,
              "aria-expanded": true,
              "aria-controls": list,
              "aria-activedescendant": found[marked] && `${list}-${marked}`,
            })}
          />
        </div>
        {!placeholder && <Button type="submit">{m.front_search()}</Button>}
      </div>
      <SearchDanger danger={danger} />
      {found.length > 0 && <SuggestedList id={list} found={found} marked={marked} />}
      <p className="sr-only" role="status">
        {found.length > 0 && m.front_suggested({ count: found.length })}
      </p>
      {lite && <Patterns id={list} />}
    </form>
  );
}

const SuggestedList = ({ id, found, marked }: { id: string; found: readonly Suggestion[]; marked: number }) => (
  <div className={LIST} id={id} role="listbox" aria-label={m.front_suggestions()}>
    {found.map((one, i) => (
      <Option key={one.kind + one.to} id={`${id}-${i}`} {...one} isMarked={i === marked} isFirst={found[i - 1]?.kind !== one.kind} />
    ))}
  </div>
);

/** Suggestions for what is typed into `field`, and the one that the arrow keys marked. */
function useSuggestions() {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Suggestions | null>(null);
  const [marked, setMarked] = useState(-1);
  useEffect(() => setText(field.current?.value ?? ""), []);
  useEffect(() => {
    const wanted = text.trim();
    setMarked(-1);
    if (wanted.length < FEWEST_LETTERS) return setAnswer(null);
    const work = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(`${ADDRESS}?${new URLSearchParams({ q: wanted })}`, {
          signal: work.signal,
        });
        if (response.ok) setAnswer((await response.json()) as Suggestions);
      } catch {
        // Aborted by the next key, or no network: Search works as without scripts.
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      work.abort();
    };
  }, [text]);
  const found = answer?.found ?? [];
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[marked];
    if (event.key === "ArrowDown") setMarked(Math.min(found.length - 1, marked + 1));
    else if (event.key === "ArrowUp") setMarked(Math.max(-1, marked - 1));
    else if (event.key === "Escape" && answer) setAnswer(null);
    else if (event.key === "Enter" && chosen) void navigate(chosen.to);
    else return;
    event.preventDefault();
  };
  return { field, found, danger: answer?.danger, marked, setText, onKeyDown };
}

const ADDRESS = href("/find-a-doctor/suggestions");
const LIST = "card mt-2 py-2";

/** What the script of pages without those of the app (suggest.js) copies and fills in: an option, the icons and names of the kinds, and the warning. */
const Patterns = ({ id }: { id: string }) => (
  <>
    <template>
      <div
        className={LIST}
        id={id}
        role="listbox"
        aria-label={m.front_suggestions()}
        data-address={ADDRESS}
        data-one={m.front_suggested({ count: 1 })}
        data-two={m.front_suggested({ count: 2 })}
      >
        <Option kind="doctor" name="" about=" " to="#" isMarked={false} isFirst />
        {SUGGESTION_KINDS.slice(1).map((kind) => (
          <i key={kind} data-kind={kind}>
            <Icon name={KINDS[kind].icon} />
            {KINDS[kind].name()}
          </i>
        ))}
      </div>
      <SearchDanger danger={{ hospital: { name: "{name}", phone: "", km: null } }} />
    </template>
    <script src={script} defer />
  </>
);

/** A suggestion. The first of a kind has the name of the group above it. */
function Option({ id, kind, name, about, to, isMarked, isFirst }: Suggestion & { id?: string; isMarked: boolean; isFirst: boolean }) {
  return (
    <AnyLink
      id={id}
      role="option"
      aria-selected={isMarked}
      tabIndex={-1}
      to={to}
      className={classes("block rounded-md py-1.5 text-ink no-underline hover:bg-brand-soft", isMarked && "bg-brand-soft")}
    >
      {isFirst && <small className="block text-ink-soft">{KINDS[kind].name()}</small>}
      <span className="row">
        <Icon name={KINDS[kind].icon} />
        <span className="grow">
          <b className="block">{name}</b> {about && <small className="block text-ink-soft">{about}</small>}
        </span>
        <Icon name="chevron-right" small />
      </span>
    </AnyLink>
  );
}
