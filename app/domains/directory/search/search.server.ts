import { and, asc, desc, not, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Db, hot } from "#app/db/client.server.ts";
import {
  byDistance,
  fromHere,
  globeValues,
  isNearby,
  isNearbyByIndex,
  isWithinChord,
  type Near,
  unseen,
} from "#app/domains/directory/near.ts";
import { isSlip } from "#app/lib/slips.ts";
import { wantedIn } from "./own-script.server.ts";
import { type Wanted, wantedOf } from "./words.ts";

/** Counts at most this many matches ("1000+"), so that counting does not get slower as the directory grows. */
const COUNTED = 1000;

/** Returns a `tsquery` of word prefixes. The words contain no operators (words.ts). */
const queryOf = (wanted: Wanted): string => wanted.map((words) => `(${words.map((word) => `'${word}':*`).join("|")})`).join("&");

/** SQL: matches a placeholder, with the full-text index. */
const hasWords = (column: AnyPgColumn, query = "query"): SQL => sql`${column} @@ ${unseen(query, "tsquery")}`;
/** SQL: the same without an index, for scans in another index's order. */
const seesWords = (column: AnyPgColumn, query = "query"): SQL => sql`ts_match_vq(${column}, ${unseen(query, "tsquery")})`;

/** A searchable table. Rows are sorted by keys, then by name and id. */
type Directory = {
  called: "doctors" | "hospitals";
  table: PgTable;
  id: AnyPgColumn;
  name: AnyPgColumn;
  words: AnyPgColumn;
  nameWords: AnyPgColumn;
  globe: AnyPgColumn;
  /**
   * Further entries of some rows, each at another place. A row is found once, by the entry that comes first in the order.
   * @see Places
   */
  places?: Places;
};
/** FROM clauses that PostgreSQL flattens. Both have the columns of the table under its name, with those of the entry, and `entry`. */
type Places = {
  /** Each row as its own entry. */
  home: SQL;
  /** The further entries. */
  further: SQL;
  entry: SQL;
  /** SQL of the entry that is nearest to `here`, for the row `shown.id`. */
  nearest: SQL;
};
/** A sort key and its direction; `last`: rows without it come last in both directions. */
export type Key = { of: SQL; way: typeof asc | typeof desc; last?: boolean };
/** Number of matches (0: not counted), and of those near the chosen place. */
type Counts = { total: number; near: number };
/** Ids and places of a page, and counts. The id is null in a row that has only counts. */
export const PAGE = {
  id: sql<string>`page.id`,
  place: sql`page.place`,
  /** Only of a directory with further entries. */
  entry: sql<string>`page.entry`,
  counts: { total: sql<number>`page.total`, near: sql<number>`page.near` } satisfies Record<keyof Counts, SQL>,
};

type Search = {
  text: string | undefined;
  near: Near;
  /** Conditions of every query; `shape` identifies the set of filters. */
  filters: SQL[];
  shape: string;
  /** Filters that may exclude most rows: matches are collected before an index is scanned for a page. */
  selective?: boolean;
  /** Which of filters and keys depend on the entry of a row. Words always do. */
  atPlace?: { filters: boolean; keys: boolean };
  /** Conditions and keys that are slow to calculate: only for the nearest `COUNTED` + 1 rows. */
  late?: { filters: SQL[] };
  /** Rows with this condition and the words of `rest` match too: the doctors who treat what the text names. `only`: no others match. */
  meant?: { is: SQL; rest: string; only?: boolean } | undefined;
  /** The order, with `nameWay` for names; `sort` identifies it. */
  sort: string;
  keys: Key[];
  nameWay: Key["way"];
  /** The keys are only the distance, nearest first. */
  nearestFirst?: boolean;
  /** Rows with this condition come first, or last. They are few and found by their ids. */
  own?: { is: SQL; first: boolean };
  /** In a search by words, matches by name come first among those that are near, unless there are too many matches. */
  namedFirst: boolean;
  /** Values of placeholders in filters, keys and cards, without `here` and `beyond`. */
  values: Record<string, unknown>;
  limit: number;
  offset: number;
  /** A statement that returns each row of `page` in the order of `PAGE.place`, with `PAGE.counts`; null columns without a row. */
  cards: (db: Db, page: SQL) => { execute(values: Record<string, unknown>): Promise<object[]> };
};
type Page<Row> = Counts & { rows: Row[] };
export type Found<Row> = {
  rows: Row[];
  /** Number of matches, at most `COUNTED`; `uncounted`: there are more. */
  total: number;
  uncounted: boolean;
  /** Number of matches near the chosen place, at most `COUNTED`. */
  near: number;
  /** No exact matches: these are similar. */
  similar: boolean;
};

/** Returns a page of a directory: exact matches, or similar ones if there are none. */
export async function searchDirectory<Row>(db: Db, directory: Directory, search: Search): Promise<Found<Row>> {
  const wanted = await wantedIn(db, search.text ?? "", search.meant?.rest !== "");
  const found = ({ rows, total, near }: Page<Row>, similar = false) => ({
    rows,
    total: Math.min(total, COUNTED),
    uncounted: total > COUNTED,
    near: Math.min(near, COUNTED),
    similar,
  });
  // The typed text has no letters or digits.
  if (wanted.length === 0 && search.text?.trim()) return found({ rows: [], total: 0, near: 0 });
  const exact = await findPage<Row>(db, directory, search, wanted);
  if (exact.total > 0 || wanted.length === 0) return found(exact);
  // "sugar reading": an illness is named, and no doctor for it has the other words.
  const named = search.meant?.rest && (await findPage<Row>(db, directory, { ...search, meant: { ...search.meant, rest: "" } }, wanted));
  if (named && named.total > 0) return found(named);
  const slips = await withSlips(db, wanted);
  const close = slips && (await findPage<Row>(db, directory, search, slips));
  return close?.total ? found(close, true) : found(exact);
}

/**
 * Query strategies. `few`: collects at most `COUNTED` + 1 matches, counts and sorts them unless they are too many. `walk`: scans
 * the index of the order until the page is full. `own`: first the rows with this condition, then the others by scanning.
 * `nearest`: collects the nearest `COUNTED` + 1 matches, then applies what is slow to calculate.
 */
type Way = "few" | "walk" | "own" | "nearest";

async function findPage<Row>(db: Db, directory: Directory, search: Search, wanted: Wanted): Promise<Page<Row>> {
  const { own, late, meant, limit, offset } = search;
  const byWords = wanted.length > 0;
  const asked = !byWords ? "all" : !meant ? "words" : meant.rest ? "meant_rest" : meant.only ? "meant_only" : "meant";
  const shape = `${directory.called}_${search.shape}_${search.sort}_${asked}`;
  const rest = meant ? queryOf(wantedOf(meant.rest)) : "";
  const values = { ...search.values, ...globeValues(search.near), query: queryOf(wanted), rest, limit, offset };
  const ask = async (way: Way): Promise<Page<Row>> => {
    const [size, depth] = [limit, limit + offset].map((least) => BOUNDS.find((most) => least <= most));
    const build = (on: Db) => search.cards(on, pageBy(way, directory, search, byWords, { size, depth }));
    const found = await hot(db, `list_${shape}_${way}_${size}_${depth}`, build).execute(values);
    const rows = (found as (Counts & { id: string | null })[]).map(({ total, near, ...row }) => ({ counts: { total, near }, row }));
    return { ...(rows[0]?.counts ?? { total: 0, near: 0 }), rows: rows.flatMap(({ row }) => (row.id === null ? [] : [row as Row])) };
  };
  if (late) return ask("nearest");
  const way = own ? "own" : "walk";
  if (!mayBeFew(search, byWords)) return ask(way);
  const few = await ask("few");
  return few.total <= COUNTED ? few : { ...(await ask(way)), total: few.total };
}

/** True when the matches are collected before an index is scanned. */
const mayBeFew = ({ selective }: Search, byWords: boolean) => byWords || Boolean(selective);

/**
 * Page sizes and offsets that are written into the statement: for a limit in a placeholder PostgreSQL assumes a tenth of the rows
 * and then chooses a full scan. Larger ones may scan the table. The first is that of a first page: of further places, three times as many are read.
 */
const BOUNDS = [16, 64, 256, 1024];
const upTo = (most: number | undefined): SQL => (most ? sql.raw(` limit ${most}`) : sql``);
const MOST_COLLECTED = sql.raw(String(COUNTED + 1));

/** SQL: a row matches the words, or is meant by them. `seen`: without the index of words. */
function matches({ words }: Directory, { meant }: Search, seen: boolean): SQL {
  const has = (query: string) => (seen ? seesWords(words, query) : hasWords(words, query));
  if (!meant) return has("query");
  const isMeant = sql`(${meant.is}${meant.rest ? sql` and ${has("rest")}` : sql``})`;
  return meant.only ? isMeant : sql`(${has("query")} or ${isMeant})`;
}

/**
 * A row of a doctor with four places in one town can be that often before the next doctor: so many further entries are read for a page.
 */
const ENTRIES_EACH = sql.raw("3");
/** The straight line to the antipode. */
const WHOLE_GLOBE = sql.raw("2");

/** Returns a page by one strategy, as `page(id, place, entry, total, near)` with placeholders `limit` and `offset`. */
function pageBy(
  way: Way,
  directory: Directory,
  search: Search,
  byWords: boolean,
  { size, depth }: { size: number | undefined; depth: number | undefined },
): SQL {
  const { id, name, nameWords, places } = directory;
  const { filters, late, keys, nameWay, own, namedFirst, atPlace, nearestFirst } = search;
  const collects = way === "few" || way === "nearest";
  const nearby = isNearby(directory);
  const by: Key[] = [...keys];
  if (collects && own) by.unshift({ of: own.is, way: own.first ? desc : asc });
  if (collects && namedFirst && byWords) by.unshift({ of: nearby, way: desc }, { of: hasWords(nameWords), way: desc });
  const further = places && (collects || byWords || atPlace?.filters || atPlace?.keys) ? places.further : null;
  const home = places?.home ?? directory.table;
  const columns = sql.join(
    [
      sql`${id} as id`,
      sql`${name} as name`,
      ...by.map(({ of }, i) => sql`${of} as ${sql.raw(`key${i}`)}`),
      ...(places ? [sql`${places.entry} as entry`, sql`${fromHere(directory)} as away`] : []),
    ],
    sql`, `,
  );
  // Refers to columns by name, because PostgreSQL does not treat two uses of a placeholder as equal.
  const byKeys = by.map(({ way: up, last }, i) => sql`${up(sql.raw(`key${i}`))}${last ? sql` nulls last` : sql``}`);
  const order = sql.join([...byKeys, nameWay(sql`name`), asc(sql`id`)], sql`, `);
  const [limit, offset] = [unseen("limit", "int"), unseen("offset", "int")];
  const page = (parts: SQL, from: SQL, inOrder = order) => sql`(with ${parts}
    select shown.id, shown.place, ${entryOf(places, further !== null)} counted.total, counted.near from counted left join (
      select id, row_number() over (order by ${inOrder}) as place${further ? sql`, entry` : sql``} from ${from} order by ${inOrder} limit ${limit} offset ${offset}
    ) shown on true${upTo(size)}) as page`;
  /** Each row once, by its first entry. Rows without a further entry are not sorted for it. */
  const once = sql`(select * from first where id not in (select id from second) union all (
    select distinct on (id) * from (select * from first where id in (select id from second) union all select * from second) entries
    order by ${sql.join([sql`id`, ...byKeys, sql`away nulls last`], sql`, `)}))`;
  /** Rows of the table, and further entries where they count, as `found`. */
  const found = (rows: (from: SQL | PgTable, isFurther: boolean) => SQL) =>
    further
      ? sql`first as materialized (${rows(home, false)}), second as materialized (${rows(further, true)}), found as materialized ${once}`
      : sql`found as materialized (${rows(home, false)})`;

  if (collects) {
    const wanted = and(...filters, ...(byWords ? [matches(directory, search, false)] : []));
    const counted = sql`counted as (select count(*)::int as total, (count(*) filter (where nearby))::int as near from found)`;
    const rows = (from: SQL | PgTable, where: SQL | undefined) => sql`select ${columns}, ${nearby} as nearby from ${from} where ${where}`;
    if (way === "few")
      return page(
        sql`${found((from) => sql`${rows(from, wanted)} limit ${MOST_COLLECTED}`)}, ${counted}`,
        sql`found where (select total <= ${sql.raw(String(COUNTED))} from counted)`,
      );
    const entry = (isFurther: boolean) => (isFurther && places ? places.entry : sql`${id}`);
    const nearest = (from: SQL | PgTable, isFurther: boolean) => sql`(select ${entry(isFurther)} as entry, ${fromHere(directory)} as away
      from ${from} where ${wanted} order by ${byDistance(directory, false)} limit ${MOST_COLLECTED})`;
    const entries = further
      ? sql`select entry from (${nearest(home, false)} union all ${nearest(further, true)}) entries order by away limit ${MOST_COLLECTED}`
      : sql`select entry from ${nearest(home, false)} entries`;
    const rowsOf = (from: SQL | PgTable, isFurther: boolean) =>
      rows(from, and(sql`${entry(isFurther)} in (select entry from nearest)`, ...(late?.filters ?? [])));
    return page(sql`nearest as materialized (${entries}), ${found(rowsOf)}, ${counted}`, sql`found`);
  }

  const has = byWords ? [matches(directory, search, true)] : [];
  const total = mayBeFew(search, byWords) ? sql`0` : countOf(directory, search, byWords, "all");
  const counted = sql`counted as (select ${total} as total, ${countOf(directory, search, byWords, "near")} as near)`;
  const walked = (from: SQL | PgTable, most: SQL, ...where: SQL[]) =>
    sql`select ${columns} from ${from} where ${and(...filters, ...where)} order by ${order}${most}`;
  const atMost = (isFurther: boolean) => (depth && isFurther ? sql`${upTo(depth)} * ${ENTRIES_EACH}` : upTo(depth));
  if (way === "walk" || !own) {
    // Each row has a first entry here, so none farther than the last one that the page needs is shown: only nearer further entries are read.
    const needed = sql`${limit} + ${offset}`;
    const bounded = nearestFirst && !byWords && !atPlace?.filters;
    const last = sql`(select case when count(away) < ${needed} then ${WHOLE_GLOBE} else max(away) end from first)`;
    const rows = (from: SQL | PgTable, isFurther: boolean) => {
      if (!bounded || !further) return walked(from, atMost(isFurther), ...has);
      return isFurther
        ? walked(from, atMost(true), isWithinChord(directory, last))
        : sql`select * from (${walked(from, atMost(false))}) homes limit ${needed}`;
    };
    return page(sql`${counted}, ${found(rows)}`, sql`found`);
  }

  // Rows that come first, at most a page; then the others, scanned only as far as needed.
  const [one, two] = own.first ? [own.is, not(own.is)] : [not(own.is), own.is];
  const needed = sql`order by ${order} limit ${limit} + ${offset}`;
  const missing = sql`(select count(*) from firsts) < ${limit} + ${offset}`;
  const part = (is: SQL) => sql`(${walked(home, upTo(depth), is, ...has)}) found`;
  const parts = sql`${counted}, firsts as materialized (select * from ${part(one)} ${needed}),
    rest as materialized (select * from ${part(two)} where ${missing} ${needed})`;
  return page(parts, sql`(select 0 as part, * from firsts union all select 1 as part, * from rest) parts`, sql`part, ${order}`);
}

/** SQL: the entry of a page's row, with its comma. Where entries were not compared, the nearest one. */
const entryOf = (places: Places | undefined, compared: boolean): SQL =>
  places ? sql`${compared ? sql`shown.entry` : places.nearest} as entry,` : sql``;

/** SQL: the number of matches, or of those near the chosen place, up to `COUNTED` + 1. */
function countOf(directory: Directory, search: Search, byWords: boolean, which: "all" | "near"): SQL {
  const { id, places } = directory;
  const where = and(
    ...search.filters,
    ...(byWords ? [matches(directory, search, which === "near")] : []),
    ...(which === "near" ? [isNearbyByIndex(directory)] : []),
  );
  const most = sql` limit ${MOST_COLLECTED}`;
  const rows = (from: SQL | PgTable) => sql`select ${id} as id from ${from} where ${where}${most}`;
  const further = places && (which === "near" || byWords || search.atPlace?.filters) ? places.further : null;
  const counted = further
    ? sql`(select id from (${rows(directory.table)}) rows union select id from (${rows(further)}) entries${most}) counted`
    : sql`(${rows(directory.table)}) counted`;
  return sql`(select count(*)::int from ${counted})`;
}

/**
 * Returns the search with similar known words in place of mistyped ones; null when there are none. Known words are those of the
 * last `refreshSearchWords`.
 */
async function withSlips(db: Db, wanted: Wanted): Promise<Wanted | null> {
  const typed = wanted.flat().filter((word) => word.length >= 4);
  if (typed.length === 0) return null;
  const query = hot(db, "search_slips", (on) =>
    on
      .select({ typed: sql<string>`typed.word`, word: sql<string>`near.word` })
      .from(sql`unnest(string_to_array(${sql.placeholder("typed")}, '|')) as typed(word)`)
      // Similar trigrams find most errors. Short words need the same start and length instead: two exchanged letters change all
      // their trigrams.
      // two letters exchanged leave no trigram as it was.
      .crossJoinLateral(
        sql`(
          (select word from search_words where word % typed.word order by similarity(word, typed.word) desc, word limit 20)
          union (select word from search_words where length(typed.word) < 8 and left(word, 1) = left(typed.word, 1)
            and length(word) between length(typed.word) - 1 and length(typed.word) + 1 limit 1000)
        ) as near`,
      )
      .prepare("search_slips"),
  );
  const rows = await query.execute({ typed: typed.join("|") });
  const near = rows.filter((row) => isSlip(row.typed, row.word));
  if (near.length === 0) return null;
  return wanted.map((words) => [...words, ...near.filter((row) => words.includes(row.typed)).map((row) => row.word)]);
}

/** Rebuilds the list of known words, without blocking searches. */
export const refreshSearchWords = (db: Db) => db.execute(sql`select refresh_search_words()`);
