/** State of a list of doctors or hospitals in its URL. */

/** Cards of one step. More would not fit the first 14 KB. */
export const STEP = 8;
/** Most cards on one page. Then the list continues on the next. */
export const MOST = 64;
const FARTHEST = MOST * 156;

export type ListState<Sort extends string> = {
  text: string;
  sort: Sort;
  /** Reverses the default direction of the sort. */
  reversed: boolean;
  /** Index of the first card, from 0. */
  from: number;
  /** Number of cards. */
  show: number;
};

/** Parses `?q=&sort=distance|distance-reversed&from=&show=`. Clamps invalid values. */
export function readListState<Sort extends string>(query: URLSearchParams, sorts: readonly [Sort, ...Sort[]]): ListState<Sort> {
  const asked = query.get("sort") ?? "";
  const number = (name: string, step: number, least: number, most: number) => {
    const value = Math.floor(Number(query.get(name)) / step) * step;
    return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
  };
  return {
    text: (query.get("q") ?? "").replaceAll("\0", "").trim().slice(0, 100),
    sort: sorts.find((sort) => sort === asked.replace(REVERSED, "")) ?? sorts[0],
    reversed: REVERSED.test(asked),
    from: number("from", MOST, 0, FARTHEST),
    show: number("show", STEP, STEP, MOST),
  };
}
const REVERSED = /-reversed$/;

/** Returns the value of an option of the sort field. */
export const sortValue = (sort: string, reversed: boolean) => (reversed ? `${sort}-reversed` : sort);

/** Returns the URL of a list in this state, without default values. `more`: other query parameters. */
export function listPath(path: string, state: ListState<string>, more: Record<string, string | null> = {}): string {
  const query = new URLSearchParams();
  if (state.text) query.set("q", state.text);
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value);
  const sort = sortValue(state.sort, state.reversed);
  if (sort !== "default") query.set("sort", sort);
  if (state.from > 0) query.set("from", String(state.from));
  if (state.show > STEP) query.set("show", String(state.show));
  return query.size ? `${path}?${query}` : path;
}

/** These orders list near entries first, so that the others come under a heading. */
export const isNearFirst = ({ sort, reversed }: ListState<string>): boolean =>
  ["default", "distance", "soonest"].includes(sort) && !reversed;

/** Returns the state of the first page. */
export const fromStart = <Sort extends string>(state: ListState<Sort>): ListState<Sort> => ({ ...state, from: 0, show: STEP });

/** Returns the anchor of the first card of a step; undefined for other cards. */
export const stepId = (place: number) => (place > 0 && place % STEP === 0 ? `n${place + 1}` : undefined);
