/** `npm run end-sessions -- everybody`: every login ends, in browsers and apps, after an incident or a restore (docs/operations.md). */
import { connect } from "#app/db/client.server.ts";
import { endAllSessions } from "#app/domains/accounts/sessions.server.ts";
import { env } from "#app/env.server.ts";
import { argumentsOf, systemCtx, withDatabase } from "./with-database.ts";

const usage = "npm run end-sessions -- <everybody>";
const given = argumentsOf(usage);
// The word has to be typed: this is not what an arrow key and Enter should do.
if (given && given.words[0] !== "everybody") {
  console.error(`usage: ${usage}; one person's logins end at /admin/users.`);
  process.exitCode = 2;
} else if (given)
  await withDatabase(async () => {
    const { db, sql, end } = connect(env().database, { max: 1 });
    try {
      await sql`set statement_timeout = 0`;
      console.log(`${await endAllSessions(systemCtx(db, "end-sessions"))} logins were ended. Everybody may log in again.`);
    } finally {
      await end();
    }
  });
