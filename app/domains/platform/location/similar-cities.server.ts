import { sql } from "drizzle-orm";
import { type Db, hot } from "#app/db/client.server.ts";
import { cities } from "#app/db/schema/index.ts";
import { countSlips, isSlip } from "#app/lib/slips.ts";

const SHOWN = { id: cities.id, name: cities.name, state: cities.state, district: cities.district, rank: cities.rank };

/**
 * Returns places whose name was mistyped: "Vijaywada", "Hyderbad". Fewest errors first, then larger ones. Reads the names with the
 * same first letter, so the first letter must be right, and a text of less than four letters has no match.
 */
export async function similarCities(db: Db, typed: string, limit: number) {
  const query = hot(db, "similar_cities", (on) =>
    on
      .select({ ...SHOWN, searchName: cities.searchName })
      .from(cities)
      .where(
        sql`${cities.searchName} ~>=~ ${sql.placeholder("first")} and ${cities.searchName} ~<~ ${sql.placeholder("end")}
          and length(${cities.searchName}) >= ${sql.placeholder("least")}`,
      )
      .prepare("similar_cities"),
  );
  const [first = ""] = typed;
  const rows = await query.execute({ first, end: `${first}~`, least: typed.length - 2 });
  return rows
    .filter(({ searchName }) => isSlip(typed, searchName))
    .map((row) => ({ row, slips: countSlips(typed, row.searchName) }))
    .sort((a, b) => a.slips - b.slips || b.row.rank - a.row.rank || (a.row.name < b.row.name ? -1 : 1))
    .slice(0, limit)
    .map(({ row: { searchName: _, ...row } }) => row);
}
