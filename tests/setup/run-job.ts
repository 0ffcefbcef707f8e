import { vi } from "vitest";
import type { JobName } from "#app/queue/queue.server.ts";
import type { TestServer } from "./server.ts";

/** Adds a job to the queue of a server, as its schedule would, and waits until a worker has finished it. */
export async function runJob({ sql }: Pick<TestServer, "sql">, name: JobName): Promise<void> {
  const [job] = await sql<{ id: string }[]>`
    insert into pgboss.job (name, data, policy) select name, '{}', policy from pgboss.queue where name = ${name} returning id`;
  const isDone = async () => (await sql`select from pgboss.job where id = ${job!.id} and state = 'completed'`).length > 0;
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 100 });
}
