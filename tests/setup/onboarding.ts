/** One server and one hospital for the tests of an application. Importing this file registers the hooks that start and stop them. */
import { afterAll, beforeAll } from "vitest";
import { newHospital } from "./applications.ts";
import type { Fields } from "./http.ts";
import { startServer, type TestServer } from "./server.ts";

export let server: TestServer;
export let hospital: string;
beforeAll(async () => {
  server = await startServer();
  hospital = await newHospital(server, { name: "Amaravati Test Hospital" });
});
afterAll(() => server?.stop());

export const statusOf = async (id: string) =>
  (await server.sql`select registration_status from doctors where id = ${id}`)[0]?.registration_status;
export const documentsOf = (id: string) =>
  server.sql<
    { id: string; kind: string; file_id: string; decision: string }[]
  >`select id, kind, file_id, decision from doctor_documents where doctor_id = ${id} order by created_at, id`;
/** Makes every write to this table fail, as on a full disk. */
export async function failOn(there: TestServer, table: string) {
  await there.sql.unsafe(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'a secret of the inside'; end $$`,
  );
  await there.sql.unsafe(`create trigger fail before insert or update on ${table} for each row execute function fail()`);
}
export const select = (): Fields => ({ mode: "select", hospitalId: hospital, intent: "next" });
