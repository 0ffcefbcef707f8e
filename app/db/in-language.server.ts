import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { language } from "#app/lib/language.ts";

/** The reader's language in prepared queries. Execute them with `...languageValue()`. */
const LANGUAGE = sql.placeholder("language");
export const languageValue = () => ({ language: language() });

/**
 * SQL: the column, or its text in the reader's language if the row has one (`Translations`). For prepared queries; others use
 * `inLanguageNow`.
 */
export const inLanguage = (column: AnyPgColumn, translations: AnyPgColumn, key: string): SQL<string> =>
  textOf(column, translations, sql`${LANGUAGE}::text`, key);

const textOf = (column: AnyPgColumn, translations: AnyPgColumn, chosen: SQL, key: string) =>
  sql<string>`coalesce(nullif(${translations} -> ${chosen} ->> ${sql.raw(`'${key}'`)}, ''), ${column})`;
