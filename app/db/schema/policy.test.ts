import { getTableColumns, getTableName, is, SQL } from "drizzle-orm";
import { getTableConfig, PgTable, pgTable, text } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { readable } from "../sealed.server.ts";
import * as schema from "./index.ts";
import { allPolicies, emptiedValues, ofPatients, policyOf, shown } from "./policy.ts";

const tables = Object.values(schema).flatMap((part): PgTable[] => (is(part, PgTable) ? [part] : []));
const ofPatientsOnly = [...allPolicies()].filter(([, { rows }]) => rows !== null);

it("every table has a policy: declare it under the table with ofPatients or ofNoPatient", () => {
  expect(tables.filter((table) => !allPolicies().has(table)).map((table) => getTableName(table))).toEqual([]);
});

it("a table that refers to a patient has the policy of a patient's table", () => {
  const patients: PgTable[] = [schema.patients, ...ofPatientsOnly.map(([table]) => table)].filter((table) => table !== schema.users);
  const refer = tables.filter((table) =>
    getTableConfig(table).foreignKeys.some((key) => {
      const { columns, foreignTable } = key.reference();
      return foreignTable === schema.patients || (patients.includes(foreignTable) && columns[0]?.notNull);
    }),
  );
  const others = refer.filter((table) => allPolicies().get(table)?.rows === null).map((table) => getTableName(table));
  // Their files are a doctor's.
  expect(others.filter((name) => name !== "doctor_documents")).toEqual([]);
});

it("the database removes the rows that refer to removed rows", () => {
  const left = ofPatientsOnly.flatMap(([table]) => {
    const { owner, rows } = policyOf(table);
    if (typeof owner === "string" || policyOf(owner.of).rows !== "removed") return [];
    const keys = getTableConfig(table).foreignKeys.filter((key) => key.reference().foreignTable === owner.of);
    return rows === "removed" && keys.some((key) => key.onDelete === "cascade") ? [] : [getTableName(table)];
  });
  expect(left).toEqual([]);
});

it("no sealed column has a reason to be in clear", () => {
  const wrong = [...allPolicies()].flatMap(([table, { columns }]) =>
    Object.entries(columns)
      .filter(([key, { clear }]) => clear !== undefined && is(readable(getTableColumns(table), key), SQL))
      .map(([key]) => `${getTableName(table)}.${key}`),
  );
  expect(wrong).toEqual([]);
});

it("a column has the same label in every table, because the audit log stores its name only", () => {
  const labels = new Map<string, string>();
  const wrong = [...allPolicies()].flatMap(([table, { columns }]) =>
    Object.entries(columns)
      .filter(([key, { label }]) => {
        if (!label) return false;
        const text = String(label);
        if (!labels.has(key)) labels.set(key, text);
        return labels.get(key) !== text;
      })
      .map(([key]) => `${getTableName(table)}.${key}`),
  );
  expect(wrong).toEqual([]);
});

describe("a policy", () => {
  it("that misses a column, or names one that is gone, is refused", () => {
    const pets = pgTable("pets", { id: text().primaryKey(), name: text() });
    // @ts-expect-error: Property 'name' is missing.
    expect(() => ofPatients(pets, { section: null, owner: "id", removed: shown("id") })).toThrow("pets.name has no policy");
    const gone = { ...shown("id name"), collar: null };
    expect(() => ofPatients(pets, { section: null, owner: "id", removed: gone })).toThrow("pets has no column collar");
  });
  it("empties a column to null, or to an empty text where null is not allowed", () => {
    expect(emptiedValues(schema.patients)).toMatchObject({ name: null, cityId: null });
    expect(emptiedValues(schema.appointments)).toMatchObject({
      patientName: "Deleted account",
      patientPhone: "",
      reason: "",
      bloodGroup: null,
    });
    expect(emptiedValues(schema.patients)).not.toHaveProperty("id");
  });
});
