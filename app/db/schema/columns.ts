import { sql } from "drizzle-orm";
import { bigint, customType, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Paise } from "#app/lib/money.ts";

export const id = () => uuid().primaryKey().default(sql`gen_random_uuid()`);
/** An instant, UTC. Named …At. */
export const at = () => timestamp({ withTimezone: true, mode: "date" });
/** An amount in whole paise, exact up to 9 007 199 254 740 991. */
export const inPaise = () => bigint({ mode: "number" }).$type<Paise>();
export const createdAt = () => at().notNull().defaultNow();

declare const content: unique symbol;
/** An encrypted value of a sealed column. Not a string: only `opened` and `open` of db/sealed.server.ts give the content. */
export type Sealed<T = string> = { readonly [content]: T };

/** What lib/crypto.server.ts writes: version, key id, IV, tag, ciphertext. */
export const SEALED_FORM = /^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22}\.[\w-]*$/;
/** Marks sealed columns (db/sealed.server.ts). */
export const ARE_YOU_SEALED = Symbol("sealed?");

/** Throws on plain text for a sealed column. */
function onlySealed(value: unknown): string {
  if (typeof value === "string" && (value === "" || SEALED_FORM.test(value))) return value;
  throw new TypeError("plain text for a sealed column: use sealed() of db/sealed.server.ts");
}
/**
 * A column whose values are encrypted (docs/decisions/045). Write it with `sealed(column, row, value)`, read it with
 * `opened(column)`. SQL cannot search or compare it.
 * @param under `server`: ENCRYPTION_KEY; `npm run reseal` finds the column automatically. `row`: a data key in a sealed column of
 * the row, for rows that a trigger makes immutable: reseal changes that column only.
 */
export const sealedText = <T extends string = string>(under: "server" | "row" = "server") =>
  customType<{ data: Sealed<T>; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => (asks(value) ? under : onlySealed(value)),
  })();
/** The same for JSON: the sealed value is a JSON string, so a former JSON column needs no other type. */
export const sealedJson = <T>(under: "server" | "row" = "server") =>
  customType<{ data: Sealed<T>; driverData: string }>({
    dataType: () => "jsonb",
    toDriver: (value) => (asks(value) ? under : JSON.stringify(onlySealed(value))),
  })();
const asks = (value: unknown) => value === ARE_YOU_SEALED;
