import { type Placeholder, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { type Language, language } from "#app/lib/language.ts";
import type { TranslatedText } from "#app/lib/translations.ts";
import { doctors } from "./schema/index.ts";

/** The reader's language in prepared queries. Execute them with `...languageValue()`. */
export const LANGUAGE = sql.placeholder("language");
export const languageValue = () => ({ language: language() });

/** SQL: the column, or its text in a language if the row has one (`Translations`). @param spoken default: that of a prepared query */
export const inLanguage = (
  column: AnyPgColumn,
  translations: AnyPgColumn,
  key: TranslatedText,
  spoken: Placeholder | Language = LANGUAGE,
) => sql<string>`coalesce(nullif(${translations} -> ${spoken}::text ->> ${sql.raw(`'${key}'`)}, ''), ${column})`;

/** A doctor's name with its translations, for texts in the languages of several readers. */
export const doctorNames = { name: doctors.fullName, translations: doctors.translations };
