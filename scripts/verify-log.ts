/** `npm run verify-log`: verifies that the audit log is unchanged (docs/operations.md). */
import { connect } from "#app/db/client.server.ts";
import { verifyLog } from "#app/domains/platform/audit/verify-log.server.ts";
import { notedSeals } from "#app/jobs/seal-file.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { argumentsOf, CommandError, systemCtx, withDatabase } from "./with-database.ts";

if (argumentsOf("npm run verify-log"))
  await withDatabase(async () => {
    const { db, sql, end } = connect(env().database, { max: 1 });
    try {
      await sql`set statement_timeout = 0`;
      const noted = await notedSeals();
      const { seals, rows, archived, waiting, problem } = await verifyLog(systemCtx(db, "verify-log"), noted);
      if (problem) throw new CommandError(`The audit log is not as it was written. ${problem}`);
      console.log(
        `The audit log is as it was written: ${rows} rows under ${seals} seals, ${archived} archived, ${waiting} not sealed yet. ${noted.length} seals noted outside the database agree.`,
      );
    } finally {
      await end();
    }
  });
