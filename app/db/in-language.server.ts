import { type Placeholder, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Language, language } from "#app/lib/language.ts";

/** The reader's language in prepared queries. Execute them with `...languageValue()`. */
export const LANGUAGE = sql.placeholder("language");
export const languageValue = () => ({ language: language() });

/** SQL: the column, or its text in a language if the row has one (`Translations`). @param spoken default: that of a prepared query */
export const inLanguage = (
  column: AnyPgColumn,
  translations: AnyPgColumn,
  key: "name" | "area" | "address" | "about" | "treats" | "hours",
  spoken: Placeholder | Language = LANGUAGE,
) => sql<string>`coalesce(nullif(${translations} -> ${spoken}::text ->> ${sql.raw(`'${key}'`)}, ''), ${column})`;
