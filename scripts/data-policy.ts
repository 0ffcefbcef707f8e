/** `node scripts/data-policy.ts`: writes the table of docs/privacy.md from the policies of the tables (app/db/schema/policy.ts). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";
import "#app/db/schema/index.ts";
import { allPolicies, type PatientPolicy } from "#app/db/schema/policy.ts";
import { readable } from "#app/db/sealed.server.ts";

const FILE = join(import.meta.dirname, "../docs/privacy.md");
const [BEGIN, END] = ["<!-- written by `node scripts/data-policy.ts` -->\n", "<!-- end -->\n"];

const code = (names: string[]) => names.map((name) => `\`${toSnakeCase(name)}\``).join(", ");

function deletionOf({ rows, columns, why }: PatientPolicy): string {
  if (rows === "removed") return "deleted";
  const emptied = Object.keys(columns).filter((key) => columns[key]?.emptied);
  return `${emptied.length ? `${code(emptied)} emptied; the rest stays` : "stays"}: ${why}`;
}

function line(table: PgTable, policy: PatientPolicy): string {
  const columns = Object.entries(policy.columns);
  const sealed = columns.filter(([key]) => is(readable(getTableColumns(table), key), SQL)).map(([key]) => key);
  const clear = columns.flatMap(([key, { clear }]) => (clear === undefined ? [] : [`${code([key])}: ${clear}`]));
  const section = policy.section === null ? "–" : `\`${policy.section}\``;
  return `| \`${getTableName(table)}\` | ${section} | ${clear.join("; ") || "–"} | ${code(sealed) || "–"} | ${deletionOf(policy)} |`;
}

/** Returns docs/privacy.md with its table written anew. */
export function withPolicies(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error("docs/privacy.md has no place for the table");
  const lines = [...allPolicies()].flatMap(([table, policy]) => (policy.rows === null ? [] : [line(table, policy)])).sort();
  const head =
    "| table | list of the download | typed text in clear, because | sealed | deletion of the account |\n|---|---|---|---|---|\n";
  return `${before}${BEGIN}\n${head}${lines.join("\n")}\n\n${END}${after}`;
}

if (import.meta.main) writeFileSync(FILE, withPolicies(readFileSync(FILE, "utf8")));
