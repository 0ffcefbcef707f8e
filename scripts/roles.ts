/** `npm run roles`: creates the application role or changes its password (docs/operations.md, Two roles). */
import { connect } from "#app/db/client.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { createApplicationRole, grantRights } from "./database-roles.ts";
import { argumentsOf, CommandError, withDatabase } from "./with-database.ts";

if (argumentsOf("npm run roles"))
  await withDatabase(async () => {
    const { database, databaseOwner } = env();
    const role = await createApplicationRole(databaseOwner, database, { renew: true });
    if (!role) throw new CommandError("DATABASE_URL and DATABASE_OWNER_URL name the same role. Name a new role in DATABASE_URL.");
    const { sql, end } = connect(databaseOwner, { max: 1 });
    try {
      await sql.begin((tx) => grantRights(tx, role));
    } finally {
      await end();
    }
    console.log(`${role} is the role of the product now: it reads and writes rows, and cannot change tables, the audit log or the ledger.`);
  });
