/** What the address of a list of doctors or hospitals says. */

/** So many cards come at a time (more would not fit the first 14 KB), … */
export const STEP = 8;
/** … so many stand on one page at most; the list then goes on on the next. */
export const MOST = 64;
const FARTHEST = MOST * 156;

export type ListState<Sort extends string> = {
  text: string;
  sort: Sort;
  /** The other way round than one would want it first. */
  reversed: boolean;
  /** The first card that is shown, counted from 0. */
  from: number;
  /** How many are shown. */
  show: number;
};

/** Reads `?q=&sort=distance|distance-reversed&from=&show=`, within reason whatever was typed. */
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

/** One choice of the sort field. */
export const sortValue = (sort: string, reversed: boolean) => (reversed ? `${sort}-reversed` : sort);

/** The address of a list in this state; what is as it comes is left out. `more`: what else the list knows. */
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

/** The first page of the same list. */
export const fromStart = <Sort extends string>(state: ListState<Sort>): ListState<Sort> => ({ ...state, from: 0, show: STEP });

/** The id of a card at which a list goes on; only the first of each step has one. */
export const stepId = (place: number) => (place > 0 && place % STEP === 0 ? `n${place + 1}` : undefined);
