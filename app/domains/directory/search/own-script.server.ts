import { sql } from "drizzle-orm";
import { type Db, hot } from "#app/db/client.server.ts";
import { hasIndicLetters, romanisations, soundDistance, soundKey, withoutEnding } from "#app/lib/sound.ts";
import { isOwnFiller, termsOf } from "./own-script.ts";
import { type Wanted, wantedOf } from "./words.ts";

/** Most spellings of a name to search for. */
const MOST = 12;

/**
 * Returns what a search looks for. A word in Telugu or Devanagari script may be a specialty, or a name: that is searched as
 * typed, transliterated, and as every known word with the same sound. A search in Latin script needs no query. `byName`: false for
 * an illness, which must not match names that sound alike.
 */
export async function wantedIn(db: Db, text: string, byName = true): Promise<Wanted> {
  const wanted = wantedOf(text);
  if (!hasIndicLetters(text)) return wanted;
  const meant = wanted.filter(([word = ""]) => !isOwnFiller(word));
  return Promise.all((meant.length ? meant : wanted).map(([word = ""]) => spellingsOf(db, word, byName)));
}

async function spellingsOf(db: Db, word: string, byName: boolean): Promise<string[]> {
  if (!hasIndicLetters(word)) return [word];
  const terms = termsOf(word);
  if (terms.length) return [word, ...terms];
  if (!byName) return [word];
  const latin = withoutEnding(word).flatMap(romanisations);
  const known = (await Promise.all(latin.map((one) => knownBySound(db, one)))).flat();
  const near = known.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1)).map((found) => found.word);
  return [...new Set([word, ...latin, ...near])].slice(0, MOST);
}

/** Returns words of the directory that sound like a name in Latin script, or start so, with their distance. */
async function knownBySound(db: Db, latin: string): Promise<{ word: string; distance: number }[]> {
  const key = soundKey(latin);
  if (!key) return [];
  const query = hot(db, "search_by_sound", (on) =>
    on
      .select({ word: sql<string>`word` })
      .from(sql`search_words`)
      .where(
        // A range instead of LIKE, because a prepared LIKE cannot use the index. The typed name may also be two words written as
        // one.
        sql`search_sound(word) ~>=~ ${sql.placeholder("from")} and search_sound(word) ~<~ ${sql.placeholder("to")}
          or search_sound(word) = any(string_to_array(${sql.placeholder("parts")}, '|'))`,
      )
      .limit(500)
      .prepare("search_by_sound"),
  );
  // A key of one character must match exactly, otherwise everything with this start would match.
  const rows = await query.execute({ from: key, to: key.length > 1 ? `${key}~` : `${key}!`, parts: partsOf(key) });
  return rows.map(({ word }) => ({ word, distance: soundDistance(latin, word) })).filter(({ distance }) => Number.isFinite(distance));
}
/** Returns the prefixes of a key that are long enough to be a word. */
const partsOf = (key: string) => Array.from({ length: Math.max(0, key.length - 4) }, (_, i) => key.slice(0, i + 4)).join("|") || key;
