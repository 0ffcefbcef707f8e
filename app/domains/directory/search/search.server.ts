import { and, asc, desc, not, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Db, hot } from "#app/db/client.server.ts";
import { globeValues, type Near, unseen } from "#app/domains/directory/near.ts";
import { wantedIn } from "./own-script.server.ts";
import { isSlip, type Wanted } from "./words.ts";

/** Beyond this many nobody counts: "1000+". Counting to the end would take longer with every doctor who joins. */
const COUNTED = 1000;

/** As a `tsquery`: each begins a word. Nothing in it is a sign (words.ts), so nothing a person types is an operator. */
const queryOf = (wanted: Wanted): string => wanted.map((words) => `(${words.map((word) => `'${word}':*`).join("|")})`).join("&");

/** Has the words of the placeholder `query`, found by the index of words. */
const hasWords = (column: AnyPgColumn): SQL => sql`${column} @@ ${unseen("query", "tsquery")}`;
/** The same, which no index answers: for walking in another index's order until there are enough. */
const seesWords = (column: AnyPgColumn): SQL => sql`ts_match_vq(${column}, ${unseen("query", "tsquery")})`;

/** A table that is listed and searched. Rows are put in order by keys, then by name and id. */
type Directory = {
  called: "doctors" | "hospitals";
  table: PgTable;
  id: AnyPgColumn;
  name: AnyPgColumn;
  words: AnyPgColumn;
  nameWords: AnyPgColumn;
};
/** What rows are put in order by, and which way; `last`: those without it come last either way. */
export type Key = { of: SQL; way: typeof asc | typeof desc; last?: boolean };
/** Of how many there are in all, as far as it was counted (0: it was not), and how many of those are called so. */
type Counts = { total: number; named: number };
/** The ids of a page, their places in it, and counts; without an id when there are only counts to tell. */
export const PAGE = {
  id: sql<string>`page.id`,
  place: sql`page.place`,
  counts: { total: sql<number>`page.total`, named: sql<number>`page.named` } satisfies Record<keyof Counts, SQL>,
};

type Search = {
  text: string | undefined;
  near: Near;
  /** What is always asked; `shape` tells one set of filters from another. */
  filters: SQL[];
  shape: string;
  /** The order, `nameWay` that of the names in it; `sort` tells one from another. */
  sort: string;
  keys: Key[];
  nameWay: Key["way"];
  /** Those of whom this is so come first, or last; few, and found by their ids. */
  own?: { is: SQL; first: boolean };
  /** Of a search by words those who are called so come first. */
  namedFirst: boolean;
  /** Of the placeholders in filters, keys and cards; `here` and `beyond` are known. */
  values: Record<string, unknown>;
  limit: number;
  offset: number;
  /** A statement that shows each row of `page` in the order of `PAGE.place`: its `PAGE.counts` beside a `Row`, or beside nulls. */
  cards: (db: Db, page: SQL) => { execute(values: Record<string, unknown>): Promise<object[]> };
};
type Page<Row> = Counts & { rows: Row[] };
export type Found<Row> = {
  rows: Row[];
  /** How many there are in all, counted to `COUNTED`; `uncounted`: there are more. */
  total: number;
  uncounted: boolean;
  /** Nothing is written as typed; these come close. */
  similar: boolean;
};

/** A page of a directory: what is written as typed, else what comes close. */
export async function searchDirectory<Row>(db: Db, directory: Directory, search: Search): Promise<Found<Row>> {
  const wanted = await wantedIn(db, search.text ?? "");
  const found = ({ rows, total }: Pick<Page<Row>, "rows" | "total">, similar = false) => ({
    rows,
    total: Math.min(total, COUNTED),
    uncounted: total > COUNTED,
    similar,
  });
  // Something was typed, and no letter or figure in it.
  if (wanted.length === 0 && search.text?.trim()) return found({ rows: [], total: 0 });
  const exact = await findPage<Row>(db, directory, search, wanted);
  if (exact.total > 0 || wanted.length === 0) return found(exact);
  const slips = await withSlips(db, wanted);
  const near = slips && (await findPage<Row>(db, directory, search, slips));
  return near?.total ? found(near, true) : found(exact);
}

/**
 * The ways to a page. `few`: gather up to one more than `COUNTED`, count them, and put them in order unless they are too
 * many. `walk`: in the order's own index, until the page is full. `own`, `named`, `named-many`: first those of whom it is
 * so, then the others, walking; `named` gathers those who are called so, as `few` does.
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
    // So many of those gathered are called so that walking soon meets them.
    if (few.named > COUNTED / 16) return ask("named-many");
    const named = await ask("named");
    return named.total <= COUNTED ? named : ask("named-many");
  };
  return { rows: (await many()).rows, total: few.total };
}

/**
 * How large a page and how far into a list a statement is made for, written out in it: of a limit that comes as a value
 * PostgreSQL takes a tenth, and then reads the table from end to end. Beyond the last it may.
 */
const BOUNDS = [64, 1024];
const upTo = (most: number | undefined): SQL => (most ? sql.raw(` limit ${most}`) : sql``);

/** A page by one of the ways, as `page(id, place, total, named)`; placeholders `limit` and `offset`. */
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
  // By the names of the columns, also where they are made: two values of one placeholder are not known to be the same.
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

  // Those who come first, no more than the page may need; then the others, walked only as far as it still needs them.
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
 * For a search that found nothing: the same with the known words that a mistyped one may have been; null when there are
 * none. Words are known from the last `refreshSearchWords` on.
 */
async function withSlips(db: Db, wanted: Wanted): Promise<Wanted | null> {
  const typed = wanted.flat().filter((word) => word.length >= 4);
  if (typed.length === 0) return null;
  const query = hot(db, "search_slips", (on) =>
    on
      .select({ typed: sql<string>`typed.word`, word: sql<string>`near.word` })
      .from(sql`unnest(string_to_array(${sql.placeholder("typed")}, '|')) as typed(word)`)
      // Alike in their trigrams, wherever the slip is; or of the same beginning and length, for the short ones, in which
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

/** Makes the list of known words anew, beside whoever is searching. */
export const refreshSearchWords = (db: Db) => db.execute(sql`select refresh_search_words()`);
