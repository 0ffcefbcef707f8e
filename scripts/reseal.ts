/** `npm run reseal`: encrypts stored values again with the first ENCRYPTION_KEY, so that the others can be removed (docs/operations.md). */
import { connect } from "#app/db/client.server.ts";
import { resealEverything } from "#app/domains/privacy/sealing/reseal.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { withDatabase } from "./with-database.ts";

await withDatabase(async () => {
  const { db, end } = connect(env().database, { max: 1 });
  try {
    console.log(`${await resealEverything(db)} values were sealed again with the first key.`);
    console.log("Emails that wait to be sent still need the older keys: remove those after two days.");
  } finally {
    await end();
  }
});
