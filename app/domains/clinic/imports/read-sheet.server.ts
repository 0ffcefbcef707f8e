import { seconds } from "#app/lib/durations.ts";
import { WorkerFailed, WorkerPool } from "#app/lib/worker-pool.server.ts";
import type { SheetReading } from "./sheet.ts";

/** vite/worker-files.ts writes the worker's code next to the server build. */
const pool = new WorkerPool<{ bytes: Uint8Array; sheet: string | null }, SheetReading>(new URL("./sheet.worker.ts", import.meta.url), {
  name: "sheets",
  size: 1,
  heapMb: 384,
  ms: seconds(30),
  waiting: 5,
});

/** Reads a table in a worker thread with limits of heap and time. A file that exceeds them is "too-large". @throws DomainError("unavailable") */
export async function readTable(bytes: Uint8Array, sheet: string | null): Promise<SheetReading> {
  try {
    // A copy: a view would transfer the whole request.
    return await pool.run({ bytes: new Uint8Array(bytes), sheet });
  } catch (error) {
    if (error instanceof WorkerFailed) return { fault: "too-large" };
    throw error;
  }
}

/** A row of the file: the number that a spreadsheet shows, and its cells. */
export type FileRow = { number: number; cells: string[] };

/** Yields the header and the rows of a table that was read. */
export function* rowsOf(lines: Uint8Array): Generator<FileRow> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const [number, ...cells] = JSON.parse(bytes.toString("utf8", from, end)) as [number, ...string[]];
    yield { number, cells };
    from = end + 1;
  }
}
