import type { Database } from "#app/db/client.server.ts";

type Statement = { query: string; params: unknown[] };
type Session = { logger?: { logQuery(query: string, params: unknown[]): void } };

/** Runs `work` and returns the statements that it sent over this pool. `db`: for statements that are prepared already, a copy of it. */
export async function statementsOf(db: Database, work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { session } = db as unknown as { session: Session };
  const before = session.logger;
  session.logger = { logQuery: (query, params) => void statements.push({ query, params }) };
  try {
    await work(Object.assign(Object.create(db), db));
  } finally {
    if (before) session.logger = before;
    else delete session.logger;
  }
  return statements;
}
