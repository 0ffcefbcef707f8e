import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Db, hot } from "#app/db/client.server.ts";
import { isSlip, searchWords } from "./words.ts";

/** Beyond this many nobody counts: "1000+". Counting to the end would take longer with every doctor who joins. */
export const COUNTED = 1000;

/** For each word what may stand in its place. */
export type Wanted = string[][];
export const wantedOf = (text: string): Wanted => searchWords(text).map((word) => [word]);

/** Conditions for `count` words: each begins a word of the column. Their placeholders are filled by `wordValues`. */
export const hasWords = (column: AnyPgColumn | SQL, count: number): SQL[] =>
  Array.from({ length: count }, (_, i) => sql`${column} like any(string_to_array(${sql.placeholder(`word${i}`)}, '|'))`);
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
  return wanted.map(([word = ""]) => [word, ...near.filter((row) => row.typed === word).map((row) => row.word)]);
}

/** Makes the list of known words anew, beside whoever is searching. */
export const refreshSearchWords = (db: Db) => db.execute(sql`refresh materialized view concurrently search_words`);
