import { and, asc, desc, not, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Db, hot } from "#app/db/client.server.ts";
import { globeValues, type Near, unseen } from "#app/domains/directory/near.ts";
import { wantedIn } from "./own-script.server.ts";
import { isSlip, type Wanted } from "./words.ts";

/** Counts at most this many matches ("1000+"), so that counting does not get slower as the directory grows. */
const COUNTED = 1000;

/** Returns a `tsquery` of word prefixes. The words contain no operators (words.ts). */
const queryOf = (wanted: Wanted): string => wanted.map((words) => `(${words.map((word) => `'${word}':*`).join("|")})`).join("&");

/** SQL: matches the placeholder `query`, with the full-text index. */
const hasWords = (column: AnyPgColumn): SQL => sql`${column} @@ ${unseen("query", "tsquery")}`;
/** SQL: the same without an index, for scans in another index's order. */
const seesWords = (column: AnyPgColumn): SQL => sql`ts_match_vq(${column}, ${unseen("query", "tsquery")})`;

/** A searchable table. Rows are sorted by keys, then by name and id. */
type Directory = {
  called: "doctors" | "hospitals";
  table: PgTable;
  id: AnyPgColumn;
  name: AnyPgColumn;
  words: AnyPgColumn;
  nameWords: AnyPgColumn;
};
/** A sort key and its direction; `last`: rows without it come last in both directions. */
export type Key = { of: SQL; way: typeof asc | typeof desc; last?: boolean };
/** Number of matches (0: not counted), and how many of them match by name. */
type Counts = { total: number; named: number };
/** Ids and places of a page, and counts. The id is null in a row that has only counts. */
export const PAGE = {
  id: sql<string>`page.id`,
  place: sql`page.place`,
  counts: { total: sql<number>`page.total`, named: sql<number>`page.named` } satisfies Record<keyof Counts, SQL>,
};

type Search = {
  text: string | undefined;
  near: Near;
  /** Conditions of every query; `shape` identifies the set of filters. */
  filters: SQL[];
  shape: string;
  /** The order, with `nameWay` for names; `sort` identifies it. */
  sort: string;
  keys: Key[];
  nameWay: Key["way"];
  /** Rows with this condition come first, or last. They are few and found by their ids. */
  own?: { is: SQL; first: boolean };
  /** In a search by words, matches by name come first. */
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
  /** No exact matches: these are similar. */
  similar: boolean;
};

/** Returns a page of a directory: exact matches, or similar ones if there are none. */
export async function searchDirectory<Row>(db: Db, directory: Directory, search: Search): Promise<Found<Row>> {
  const wanted = await wantedIn(db, search.text ?? "");
  const found = ({ rows, total }: Pick<Page<Row>, "rows" | "total">, similar = false) => ({
    rows,
    total: Math.min(total, COUNTED),
    uncounted: total > COUNTED,
    similar,
  });
  // The typed text has no letters or digits.
  if (wanted.length === 0 && search.text?.trim()) return found({ rows: [], total: 0 });
  const exact = await findPage<Row>(db, directory, search, wanted);
  if (exact.total > 0 || wanted.length === 0) return found(exact);
  const slips = await withSlips(db, wanted);
  const near = slips && (await findPage<Row>(db, directory, search, slips));
  return near?.total ? found(near, true) : found(exact);
}

/**
 * Query strategies. `few`: collects at most `COUNTED` + 1 matches, counts and sorts them unless they are too many. `walk`: scans
 * the index of the order until the page is full. `own`, `named`, `named-many`: first rows with this condition, then the others by
 * scanning; `named` collects matches by name as `few` does.
 */
type Way = "few" | "walk" | "own" | "named" | "named-many";

async function findPage<Row>(db: Db, directory: Directory, search: Search, wanted: Wanted): Promise<Pick<Page<Row>, "rows" | "total">> {
  const { own, namedFirst, limit, offset } = search;
  const shape = `${directory.called}_${search.shape}_${search.sort}_${wanted.length ? "words" : "all"}`;
  const values = { ...search.values, ...globeValues(search.near), query: queryOf(wanted), limit, offset };
  const ask = async (way: Way): Promise<Page<Row>> => {
    const [size, depth] = [limit, limit + offset].map((least) => BOUNDS.find((most) => least <= most));
    const build = (on: Db) => search.cards(on, pageBy(way, directory, search, wanted.length > 0, { size, depth }));
    const found = await hot(db, `list_${shape}_${way}_${size}_${depth}`, build).execute(values);
    const rows = (found as (Counts & { id: string | null })[]).map(({ total, named, ...row }) => ({ counts: { total, named }, row }));
    return { ...(rows[0]?.counts ?? { total: 0, named: 0 }), rows: rows.flatMap(({ row }) => (row.id === null ? [] : [row as Row])) };
  };
  if (wanted.length === 0) {
    const [{ rows }, [counted]] = await Promise.all([ask(own ? "own" : "walk"), countOf(db, directory, search).execute(values)]);
    return { rows, total: counted?.total ?? 0 };
  }
  const few = await ask("few");
  if (few.total <= COUNTED) return few;
  const many = async () => {
    if (own) return ask("own");
    if (!namedFirst) return ask("walk");
    // So many matches by name that a scan finds them soon.
    if (few.named > COUNTED / 16) return ask("named-many");
    const named = await ask("named");
    return named.total <= COUNTED ? named : ask("named-many");
  };
  return { rows: (await many()).rows, total: few.total };
}

/**
 * Page sizes and offsets that are written into the statement: for a limit in a placeholder PostgreSQL assumes a tenth of the rows
 * and then chooses a full scan. Larger ones may scan the table.
 */
const BOUNDS = [64, 1024];
const upTo = (most: number | undefined): SQL => (most ? sql.raw(` limit ${most}`) : sql``);

/** Returns a page by one strategy, as `page(id, place, total, named)` with placeholders `limit` and `offset`. */
function pageBy(
  way: Way,
  { table, id, name, words, nameWords }: Directory,
  { filters, keys, nameWay, own, namedFirst }: Search,
  byWords: boolean,
  { size, depth }: { size: number | undefined; depth: number | undefined },
): SQL {
  const by: Key[] = [...keys];
  if (way === "few" && own) by.unshift({ of: own.is, way: own.first ? desc : asc });
  if (way === "few" && namedFirst) by.unshift({ of: hasWords(nameWords), way: desc });
  const columns = sql.join(
    [sql`${id} as id`, sql`${name} as name`, ...by.map(({ of }, i) => sql`${of} as ${sql.raw(`key${i}`)}`)],
    sql`, `,
  );
  // Refers to columns by name, because PostgreSQL does not treat two uses of a placeholder as equal.
  const byKeys = by.map(({ way: up, last }, i) => sql`${up(sql.raw(`key${i}`))}${last ? sql` nulls last` : sql``}`);
  const order = sql.join([...byKeys, nameWay(sql`name`), asc(sql`id`)], sql`, `);
  const [limit, offset] = [unseen("limit", "int"), unseen("offset", "int")];
  const has = byWords ? [seesWords(words)] : [];

  const gathered = (where: SQL, named: SQL) => sql`
    found as materialized (select ${columns} from ${table} where ${and(...filters, where)} limit ${sql.raw(String(COUNTED + 1))}),
    counted as (select count(*)::int as total, ${named} as named from found)`;
  const notTooMany = sql`(select total <= ${sql.raw(String(COUNTED))} from counted)`;
  const uncounted = sql`counted as (select 0 as total, 0 as named)`;
  const walked = (...where: SQL[]) =>
    sql`(select ${columns} from ${table} where ${and(...filters, ...where)} order by ${order}${upTo(depth)}) found`;
  const page = (parts: SQL, from: SQL, inOrder = order) => sql`(with ${parts}
    select shown.id, shown.place, counted.total, counted.named from counted left join (
      select id, row_number() over (order by ${inOrder}) as place from ${from} order by ${inOrder} limit ${limit} offset ${offset}
    ) shown on true${upTo(size)}) as page`;

  if (way === "few") {
    const named = namedFirst ? sql`(count(*) filter (where key0))::int` : sql`0`;
    return page(gathered(hasWords(words), named), sql`found where ${notTooMany}`);
  }
  if (way === "walk") return page(uncounted, walked(...has));

  // Rows that come first, at most a page; then the others, scanned only as far as needed.
  const is = way === "own" && own ? own.is : seesWords(nameWords);
  const [one, two] = way === "own" && !own?.first ? [not(is), is] : [is, not(is)];
  const needed = sql`order by ${order} limit ${limit} + ${offset}`;
  const firsts =
    way === "named"
      ? sql`${gathered(hasWords(nameWords), sql`0`)}, firsts as materialized (select * from found where ${notTooMany} ${needed})`
      : sql`${uncounted}, firsts as materialized (select * from ${walked(one, ...has)} ${needed})`;
  const missing = sql`(select count(*) from firsts) < ${limit} + ${offset}`;
  const rest = sql`rest as materialized (
      select * from ${walked(two, ...has)} where ${missing}${way === "named" ? sql` and ${notTooMany}` : sql``} ${needed})`;
  const parts = sql`(select 0 as part, * from firsts union all select 1 as part, * from rest) parts`;
  return page(sql`${firsts}, ${rest}`, parts, sql`part, ${order}`);
}

const countOf = (db: Db, { called, table }: Directory, { shape, filters }: Search) =>
  hot(db, `count_${called}_${shape}`, (on) => {
    const some = on
      .select({ one: sql`1`.as("one") })
      .from(table)
      .where(and(...filters))
      .limit(COUNTED + 1)
      .as("some");
    return on.select({ total: sql<number>`count(*)::int` }).from(some).prepare(`count_${called}_${shape}`);
  });

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
