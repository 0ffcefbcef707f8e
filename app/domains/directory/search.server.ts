import { and, asc, type desc, not, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { type Db, hot } from "#app/db/client.server.ts";
import { isSlip, searchWords } from "./words.ts";

/** Beyond this many nobody counts: "1000+". Counting to the end would take longer with every doctor who joins. */
export const COUNTED = 1000;

/** For each word what may stand in its place. */
export type Wanted = string[][];
export const wantedOf = (text: string): Wanted => searchWords(text).map((word) => [word]);

/** Conditions for `count` words: each begins a word of the column. Their placeholders are filled by `wordValues`. */
export const hasWords = (column: AnyPgColumn | SQL, count: number): SQL[] =>
  // Cut once for the whole statement, not for every row.
  Array.from({ length: count }, (_, i) => sql`${column} like any((select string_to_array(${sql.placeholder(`word${i}`)}, '|'))::text[])`);
/** The same, hidden from the index of words: for walking in another index's order until there are enough. */
const seesWords = (column: AnyPgColumn | SQL, count: number): SQL[] => hasWords(sql`(${column} || '')`, count);

/**
 * The ways to a page of what has the words. `plain`: all that match, in order. `few`: up to one more than `COUNTED`, found by
 * the index of words, then put in order. `walk`: in the order's own index, until the page is full. The `named` ones have
 * the words in their name; `others` only elsewhere.
 */
export type Way = "plain" | "few" | "few-named" | "walk" | "walk-named" | "walk-others";

/** What a way asks for, besides what is always asked. */
export function wordFilters(way: Way, text: AnyPgColumn, name: SQL, count: number): SQL[] {
  if (count === 0) return [];
  switch (way) {
    case "plain":
    case "few":
      return hasWords(text, count);
    case "few-named":
      return hasWords(name, count);
    case "walk":
      return seesWords(text, count);
    case "walk-named":
      return seesWords(name, count);
    case "walk-others":
      return [...seesWords(text, count), not(and(...seesWords(name, count)) as SQL)];
  }
}

/** What rows are put in order by, and which way; `last`: those without it come last either way. */
export type Key = { of: SQL; way: typeof asc | typeof desc; last?: boolean };
type PageOf = {
  id: AnyPgColumn;
  name: AnyPgColumn;
  where: SQL | undefined;
  /** Before the name and the id. */
  keys: Key[];
  nameWay: Key["way"];
  /** Gather no more than may be counted, then put those in order and say how many they are. */
  bounded: boolean;
};
/** The ids of a page and their places in it; placeholders `limit` and `offset`. `total` says something only if bounded. */
export function pageOf(db: Db, table: PgTable, { id, name, where, keys, nameWay, bounded }: PageOf) {
  const orderOf = (columns: SQL[], nameIs: SQL, idIs: SQL) => {
    const by = keys.map(({ way, last }, i) => (last ? sql`${way(columns[i] as SQL)} nulls last` : way(columns[i] as SQL)));
    return sql.join([...by, nameWay(nameIs), asc(idIs)], sql`, `);
  };
  const place = (order: SQL) => sql<number>`row_number() over (order by ${order})`.as("place");
  if (!bounded) {
    const order = orderOf(
      keys.map(({ of }) => of),
      sql`${name}`,
      sql`${id}`,
    );
    return db
      .select({ of: sql<string>`${id}`.as("found_id"), place: place(order), total: sql<number>`0`.as("total") })
      .from(table)
      .where(where)
      .orderBy(order)
      .limit(sql.placeholder("limit"))
      .offset(sql.placeholder("offset"))
      .as("page");
  }
  const columns = Object.fromEntries(keys.map(({ of }, i) => [`key${i}`, sql`${of}`.as(`key${i}`)]));
  const found = db
    .select({ id: sql<string>`${id}`.as("id"), name: sql<string>`${name}`.as("name"), ...columns })
    .from(table)
    // Written out: of a limit that comes as a value PostgreSQL thinks it is a tenth, and then reads from end to end.
    .where(sql`${where} limit ${sql.raw(String(COUNTED + 1))}`)
    .as("found");
  const order = orderOf(
    keys.map((_, i) => sql.raw(`found.key${i}`)),
    sql`found.name`,
    sql`found.id`,
  );
  return db
    .select({ of: sql<string>`found.id`.as("found_id"), place: place(order), total: sql<number>`(count(*) over ())::int`.as("total") })
    .from(found)
    .orderBy(order)
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .as("page");
}

type Page<Row> = { rows: Row[] /** How many there are, up to one more than `COUNTED`. */; total: number };
/**
 * A page of a search by words. What many have is not gathered and put in order; `namedFirst`: those called so come first.
 * @param walks whether an index is kept in the order asked for
 */
export async function pageByWords<Row>(
  ask: (way: Way, limit: number, offset: number) => Promise<Page<Row>>,
  { namedFirst, walks, limit, offset }: { namedFirst: boolean; walks: boolean; limit: number; offset: number },
): Promise<Page<Row>> {
  const bounded = async (way: "few" | "few-named") => {
    const page = await ask(way, limit, offset);
    // Beyond the end no row says how many there are.
    return page.rows.length || offset === 0 ? page : { ...page, total: (await ask(way, 1, 0)).total };
  };
  const few = await bounded("few");
  const { total } = few;
  if (total <= COUNTED) return few;
  const rows = async (way: Way, most = limit, from = offset) => (await ask(way, most, from)).rows;
  if (!walks) return { rows: await rows("plain"), total };
  if (!namedFirst) return { rows: await rows("walk"), total };
  const named = await bounded("few-named");
  if (named.total > COUNTED) return { rows: await rows(offset + limit <= COUNTED ? "walk-named" : "plain"), total };
  const missing = limit - named.rows.length;
  return missing
    ? { rows: [...named.rows, ...(await rows("walk-others", missing, Math.max(0, offset - named.total)))], total }
    : { ...named, total };
}
export const wordValues = (wanted: Wanted): Record<string, string> =>
  Object.fromEntries(wanted.map((words, i) => [`word${i}`, words.map((word) => `% ${word}%`).join("|")]));

/**
 * For a search that found nothing: the same with the known words that a mistyped one may have been; null when there are
 * none. Words are known from the last `refreshSearchWords` on.
 */
export async function withSlips(db: Db, wanted: Wanted): Promise<Wanted | null> {
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
export const refreshSearchWords = (db: Db) => db.execute(sql`refresh materialized view concurrently search_words`);
