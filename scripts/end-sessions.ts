/** `npm run end-sessions -- everybody`: ends all sessions of browsers and apps, after an incident or a restore (docs/operations.md). */
import { connect } from "#app/db/client.server.ts";
import { endAllSessions } from "#app/domains/platform/accounts/sessions.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { argumentsOf, systemCtx, withDatabase } from "./with-database.ts";

const usage = "npm run end-sessions -- <everybody>";
const given = argumentsOf(usage);
// Requires the word, so that it does not run by accident.
if (given && given.words[0] !== "everybody") {
  console.error(`usage: ${usage}; one person's logins end at /admin/users.`);
  process.exitCode = 2;
} else if (given)
  await withDatabase(async () => {
    const { db, sql, end } = connect(env().database, { max: 1 });
    try {
      await sql`set statement_timeout = 0`;
      console.log(`${await endAllSessions(systemCtx(db, "end-sessions"))} logins were ended. Users can log in again.`);
    } finally {
      await end();
    }
  });
