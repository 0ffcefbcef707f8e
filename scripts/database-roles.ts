/**
 * The two roles of a database: the owner migrates, restores and archives, the application reads and writes rows
 * (docs/decisions/046). One role for both works too.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type postgres from "postgres";
import { connect } from "#app/db/client.server.ts";
import { RESTRICTED, USUAL } from "#app/db/privileges.ts";
import type { DatabaseAddress } from "#app/runtime/env.server.ts";

/** The operator can fix the reason. */
export class RolesError extends Error {
  override readonly name = "RolesError";
}

export const roleOf = (address: DatabaseAddress): string =>
  "url" in address ? decodeURIComponent(new URL(address.url).username) : address.username;
const passwordOf = (address: DatabaseAddress) => ("url" in address ? decodeURIComponent(new URL(address.url).password) : "");

const name = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Returns the SCRAM verifier of a password (RFC 5802), so that the password is in no statement or server log. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const rounds = 4096;
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${hmac("Server Key").toString("base64")}`;
}

/**
 * Creates the role of `application` with the password of its address, unless both addresses have the same role.
 * @param options.renew sets the password of an existing role too
 * @returns the name of the role, or null when there is only one
 * @throws RolesError
 */
export async function createApplicationRole(
  owner: DatabaseAddress,
  application: DatabaseAddress,
  options: { renew?: boolean } = {},
): Promise<string | null> {
  const role = roleOf(application);
  if (!role || role === roleOf(owner)) return null;
  const { sql, end } = connect(owner, { max: 1 });
  try {
    const find = async () =>
      (
        await sql<{ super: boolean; member: boolean }[]>`
          select rolsuper as super, pg_has_role(oid, current_user, 'MEMBER') as member from pg_roles where rolname = ${role}`
      )[0];
    const found = await find();
    if (found?.super || found?.member)
      throw new RolesError(`The role ${role} has the rights of the owner. Name another role in DATABASE_URL.`);
    if (found && !options.renew) return role;
    const password = passwordOf(application);
    const secret = password ? ` password '${scramVerifier(password)}'` : "";
    await sql.unsafe(`${found ? "alter" : "create"} role ${name(role)} login${secret}`).catch(async (error: { code?: string }) => {
      // 42501: this role may not create roles. 42710, 23505: another process created it.
      if (error.code === "42501")
        throw new RolesError(
          `${roleOf(owner)} may not create roles. Let an administrator of the server run: CREATE ROLE ${name(role)} LOGIN PASSWORD '…'; with the password of DATABASE_URL. Then run this again.`,
        );
      if (error.code !== "42710" && error.code !== "23505") throw error;
    });
    return role;
  } finally {
    await end();
  }
}

/**
 * Grants application roles their rights on all existing and future tables. The owner runs it after each migration, in the same
 * transaction. Idempotent.
 * @param role a new role; roles with rights get them on new tables too
 */
export async function grantRights(tx: postgres.ISql, role?: string | null): Promise<void> {
  const known = await tx<{ name: string }[]>`
    select distinct pg_get_userbyid(a.grantee) as name from pg_default_acl d, aclexplode(d.defaclacl) a
    where d.defaclnamespace = 'public'::regnamespace and d.defaclobjtype = 'r' and a.grantee not in (0, d.defaclrole)`;
  for (const one of new Set([...known.map(({ name }) => name), ...(role ? [role] : [])])) await grantTo(tx, one);
}
async function grantTo(tx: postgres.ISql, role: string): Promise<void> {
  const to = name(role);
  const [database] = await tx<{ name: string }[]>`select current_database() as name`;
  const schemas = await tx<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname in ('public', 'drizzle', 'pgboss')
      and has_schema_privilege(current_user, oid, 'USAGE')`;
  const usual = USUAL.join(", ");
  const statements = [`revoke temporary on database ${name(database!.name)} from public`, "revoke create on schema public from public"];
  for (const { name: schema } of schemas) {
    statements.push(`grant usage on schema ${schema} to ${to}`);
    if (schema === "drizzle") {
      statements.push(`grant select on all tables in schema drizzle to ${to}`);
      continue;
    }
    for (const [kind, rights] of [
      ["tables", usual],
      ["sequences", "usage, select"],
    ] as const)
      statements.push(
        `grant ${rights} on all ${kind} in schema ${schema} to ${to}`,
        `alter default privileges in schema ${schema} grant ${rights} on ${kind} to ${to}`,
      );
    statements.push(`grant execute on all functions in schema ${schema} to ${to}`);
  }
  for (const [table, rights] of Object.entries(RESTRICTED)) {
    const [there] = await tx`select to_regclass(${`public.${table}`}) is not null as is`;
    if (there?.is) statements.push(`revoke all on ${table} from ${to}`, `grant ${rights.join(", ")} on ${table} to ${to}`);
  }
  for (const statement of statements) await tx.unsafe(statement);
}
