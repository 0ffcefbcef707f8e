/**
 * What happens to the data of a table (download, account deletion, audit log), declared under the table: whose data it is, what the patient's download shows, what deleting the
 * account erases, why text is in clear, how the audit log names a column, and what the application may do. The download, the deletion, the
 * canary test, the audit log, the grants and docs/privacy.md read it. Types refuse a patient's table with a column that is not declared;
 * policy.test.ts refuses a table that is not. The whole list: docs/privacy.md.
 */
import { getTableColumns } from "drizzle-orm";
import { type AnyPgColumn, getTableConfig, type PgTable, type PgUpdateSetSource } from "drizzle-orm/pg-core";

export type Privilege = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

type Facts = {
  /** Why text that a user typed is in clear. None: the column has no such text, or it is sealed or a hash. */
  clear?: string;
  /** The name of the field in the audit log, where a user may change the column: to read, and as it is stored. None: the column's own. */
  label?: () => string;
  audited?: string;
};
/** `name`: in the download; null: not in it. */
type Column = string | null | (Facts & { name: string | null });
/** `becomes`: what an emptied column contains. None: null, or an empty text where null is not allowed. */
type EmptiedColumn = Column | (Facts & { name: string | null; becomes: string });

type Key<T extends PgTable> = keyof T["_"]["columns"] & string;
type Owner<T extends PgTable> = Key<T> | { by: Key<T>; of: PgTable };
type OfPatients<T extends PgTable, E extends Key<T>> = {
  /** The list of data.json that shows the rows; null: none. */
  section: string | null;
  /** The column with the patient's id, or the one that refers to a row of another table of the patient. */
  owner: Owner<T>;
  /** What the application may do. None: everything. */
  may?: readonly Privilege[];
} & (
  | {
      /** The deletion of the account removes the rows. `command`: the function that does; none: the deletion itself. */
      removed: Record<Key<T>, Column>;
      command?: string;
    }
  | {
      /** The deletion of the account empties these columns. */
      emptied?: Record<E, EmptiedColumn>;
      /** These stay. */
      stays: Record<Exclude<Key<T>, E>, Column>;
      /** Why the rows stay. */
      why: string;
    }
);
type OfNoPatient<T extends PgTable> = { may?: readonly Privilege[]; columns?: Partial<Record<Key<T>, Facts>> };

export type ColumnPolicy = Facts & { name: string | null; emptied: boolean; becomes?: string };
export type PatientPolicy = {
  section: string | null;
  owner: string | { by: string; of: PgTable };
  rows: "removed" | "emptied" | "stay";
  command?: string;
  why?: string;
  may?: readonly Privilege[];
  columns: Record<string, ColumnPolicy>;
};
export type Policy = PatientPolicy | { rows: null; may?: readonly Privilege[]; columns: Record<string, ColumnPolicy> };

const policies = new Map<PgTable, Policy>();
/** Returns all tables with their policies. Its caller also imports index.ts, whose files declare them. */
export const allPolicies = (): ReadonlyMap<PgTable, Policy> => policies;

const nameOf = (table: PgTable) => getTableConfig(table).name;

/** Declares what happens to each column of personal data of patients: export, account deletion, label of its audit entry. */
export function ofPatients<T extends PgTable, E extends Key<T> = never>(table: T, policy: OfPatients<T, E>): void {
  const { section, owner, may } = policy;
  const isRemoved = "removed" in policy;
  const gone: Record<string, EmptiedColumn> = isRemoved ? {} : (policy.emptied ?? {});
  const others: Record<string, Column> = isRemoved ? policy.removed : policy.stays;
  const columns: Record<string, ColumnPolicy> = {};
  // In the order of the schema.
  for (const key of Object.keys(getTableColumns(table))) {
    const column = gone[key] === undefined ? others[key] : gone[key];
    if (column === undefined) throw new Error(`${nameOf(table)}.${key} has no policy: declare it under the table`);
    columns[key] = { emptied: key in gone, ...(typeof column === "object" && column !== null ? column : { name: column }) };
  }
  for (const key of [...Object.keys(gone), ...Object.keys(others)])
    if (!columns[key]) throw new Error(`${nameOf(table)} has no column ${key}: remove it from the policy`);
  policies.set(table, {
    ...{ section, owner, columns },
    ...(may && { may }),
    ...(isRemoved
      ? { rows: "removed" as const, ...(policy.command !== undefined && { command: policy.command }) }
      : { rows: policy.emptied ? ("emptied" as const) : ("stay" as const), why: policy.why }),
  });
}
/** Declares a table with data of doctors, staff or nobody. */
export function ofNoPatient<T extends PgTable>(table: T, { may, columns = {} }: OfNoPatient<T> = {}): void {
  const facts = Object.entries<Facts | undefined>(columns).map(([key, one]) => [key, { name: null, emptied: false, ...one }]);
  policies.set(table, { rows: null, ...(may && { may }), columns: Object.fromEntries(facts) });
}

type Split<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Split<Rest> : S;
/** Columns that the download shows under their own names. `names`: with spaces between them. */
export const shown = <S extends string>(names: S) =>
  Object.fromEntries(names.split(" ").map((name) => [name, name])) as Record<Split<S>, string>;
/** Columns that the download does not show. */
export const hidden = <S extends string>(names: S) =>
  Object.fromEntries(names.split(" ").map((name) => [name, null])) as Record<Split<S>, null>;

/** Why rows stay. */
export const LAW = {
  tax: "ids and amounts without a name, which tax law requires for years",
  records: "a doctor must store medical records for three years after the last visit (Indian Medical Council Regulations, 2002, 1.3.1)",
  consent: "an id, a date and a language, which prove that consent was given (DPDP Act 2023, section 6 (10))",
  log: "ids, actions and internet addresses, at least a year (DPDP Rules, 2025)",
};

/** Returns the policy of a table with data of patients. */
export function policyOf(table: PgTable): PatientPolicy {
  const policy = policies.get(table);
  if (!policy?.rows) throw new Error(`${nameOf(table)} has no data of patients`);
  return policy;
}

/** Returns changed columns of a patient's table as the audit log stores them: "name, photo". */
export const auditedNames = (table: PgTable, keys: readonly string[]): string =>
  keys.map((key) => policyOf(table).columns[key]?.audited ?? key).join(", ");

/** Returns what the emptied columns of a table contain after the deletion of the account, for `set`. */
export function emptiedValues<T extends PgTable>(table: T): PgUpdateSetSource<T> {
  const columns: Record<string, AnyPgColumn> = getTableColumns(table);
  const values = Object.entries(policyOf(table).columns)
    .filter(([, { emptied }]) => emptied)
    .map(([key, { becomes }]) => [key, columns[key]?.notNull ? (becomes ?? "") : null]);
  return Object.fromEntries(values);
}
