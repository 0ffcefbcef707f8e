import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, Button, buttonClass } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/states.tsx";
import { fromStart, type ListState, listPath, MOST, STEP, sortValue, stepId } from "../list-state.ts";
import { useListForm } from "./use-list-form.ts";

/** `reversed`: null for an order in one direction. */
export type SortWords = Record<string, () => [label: string, first: string, reversed: string | null]>;

type ListFormProps = {
  path: string;
  state: ListState<string>;
  more?: Record<string, string | null>;
  label: string;
  placeholder: string;
  sorts: SortWords;
  filters?: { names: readonly string[]; head: ReactNode; fields: ReactNode; submit: string };
  below?: ReactNode;
};

/**
 * Search and order of a list in one GET form. `more`: other query parameters to preserve. `sorts`: the names of the orders.
 * `filters`: they are folded together with the order on a phone; without them the order is below the search. `below`: directly below
 * the search field.
 */
export function ListForm({ path, state, more = {}, label, placeholder, sorts, filters, below }: ListFormProps) {
  const form = useListForm(path, listPath(path, fromStart(state), more));
  const order = <Order sorts={sorts} chosen={sortValue(state.sort, state.reversed)} labelled={filters !== undefined} />;
  return (
    <Form action={path} role="search" {...form}>
      {Object.entries(more).map(
        ([name, value]) => value && !filters?.names.includes(name) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div className="search">
        <label className="sr-only" htmlFor="q">
          {label}
        </label>
        <Icon name="search" />
        <input className="input" id="q" name="q" type="search" maxLength={100} defaultValue={state.text} placeholder={placeholder} />
      </div>
      {below}
      {filters ? (
        <details className="filters group">
          <summary
            className={buttonClass({
              variant: "second",
              size: "sm",
              pill: true,
              className: "w-fit list-none [&::-webkit-details-marker]:hidden",
            })}
          >
            {filters.head}
          </summary>
          {filters.fields}
          {order}
          <Button type="submit" full className="mt-5">
            {filters.submit}
          </Button>
        </details>
      ) : (
        <div className="row my-3 flex-wrap gap-2">
          {order}
          <Button type="submit" variant="second">
            {m.directory_show()}
          </Button>
        </div>
      )}
    </Form>
  );
}

function Order({ sorts, chosen, labelled }: { sorts: SortWords; chosen: string; labelled: boolean }) {
  const field = (
    <>
      <label className={labelled ? "label" : "sr-only"} htmlFor="sort">
        {m.directory_sort()}
      </label>
      <select
        className={labelled ? "input" : "input min-h-target w-auto max-w-full flex-[1_1_7rem] text-[1rem]"}
        id="sort"
        name="sort"
        defaultValue={chosen}
      >
        {Object.entries(sorts).map(([sort, words]) => {
          const [label, first, reversed] = words();
          return (
            <optgroup key={sort} label={label}>
              <option value={sort}>{first}</option>
              {reversed !== null && <option value={sortValue(sort, true)}>{reversed}</option>}
            </optgroup>
          );
        })}
      </select>
    </>
  );
  return labelled ? <div className="field mt-5">{field}</div> : field;
}

/** The number of matches, or what is being loaded, and a note when only similar matches were found. */
export function ListStatus({
  path,
  loading,
  opening,
  count,
  centre,
  similar,
  meant = null,
  text,
}: {
  path: string;
  loading: string;
  /** Shown while one of the entries is loading: the path prefix of the entries, and the text. */
  opening?: { under: string; word: string };
  count: string;
  /** The city from whose centre the distances are; null: they are from the position of the person. */
  centre: string | null;
  similar: boolean;
  /** Which doctors an illness in the text leads to. */
  meant?: string | null;
  text: string;
}) {
  const coming = useNavigation().location?.pathname;
  const wait = coming === path ? loading : opening && coming?.startsWith(opening.under) ? opening.word : null;
  return (
    <p className="text-sm text-ink-soft mt-2 mb-3">
      <span role="status">{wait ?? [meant ?? (similar && m.directory_similar({ text })), count].filter(Boolean).join(" ")}</span>
      {centre && ` · ${m.directory_from_centre({ city: centre })}`}
    </p>
  );
}

/** "1,000+" when counting stopped there. */
export const countWord = ({ total, uncounted }: { total: number; uncounted: boolean }) =>
  uncounted ? `${formatCount(total)}+` : formatCount(total);

/** The end of a list: a link to the next step on the same page, or to the next page. */
export function ListEnd({
  path,
  state,
  more = {},
  shown,
  total,
  uncounted,
}: {
  path: string;
  state: ListState<string>;
  more?: Record<string, string | null>;
  shown: number;
  total: number;
  uncounted: boolean;
}) {
  const end = state.from + shown;
  const goesOn = uncounted ? shown === state.show : end < total;
  const to = !goesOn
    ? null
    : state.show < MOST
      ? `${listPath(path, { ...state, show: state.show + STEP }, more)}#${stepId(end) ?? ""}`
      : listPath(path, { ...state, from: end, show: STEP }, more);
  return (
    <>
      <LoadMore
        to={to}
        preserveScroll={state.show < MOST}
        label={state.show < MOST ? m.directory_load_more() : m.directory_next_page()}
        caption={m.directory_shown({ first: state.from + 1, last: end, total: countWord({ total, uncounted }) })}
      />
      {state.from > 0 && (
        <p className="mt-4 text-center">
          <AnyLink to={listPath(path, { ...state, from: Math.max(0, state.from - MOST), show: MOST }, more)}>
            {m.directory_previous_page()}
          </AnyLink>
        </p>
      )}
    </>
  );
}
