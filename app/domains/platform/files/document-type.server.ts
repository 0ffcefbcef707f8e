import { seconds } from "#app/lib/durations.ts";
import { WorkerFailed, WorkerPool } from "#app/lib/worker-pool.server.ts";
import { type DocumentMediaType, looksLikeDocument } from "./content-type.ts";
import type { PdfReading } from "./pdf.ts";

type Question = { bytes: Uint8Array; asPdf: boolean };
type Reading = { type: DocumentMediaType | null; pdf: PdfReading | null };

/** vite/worker-files.ts writes the worker's code next to the server build. */
const pool = new WorkerPool<Question, Reading>(new URL("./document-type.worker.ts", import.meta.url), {
  name: "documents",
  size: 2,
  heapMb: 64,
  ms: seconds(3),
  waiting: 20,
});

/**
 * Returns the type of a PDF or Word document, null for anything else. Parses the file in a worker thread with limits of heap and
 * time, so that a hostile file never blocks the process. A file that exceeds them returns null.
 * @throws DomainError("unavailable") when too many files wait
 */
export async function readDocumentType(bytes: Uint8Array): Promise<DocumentMediaType | null> {
  return looksLikeDocument(bytes) ? ((await ask(bytes, false))?.type ?? null) : null;
}

/** Checks a PDF in the same worker threads. A file that exceeds their limits is "broken". @throws DomainError("unavailable") */
export async function checkPdf(bytes: Uint8Array): Promise<PdfReading> {
  return (await ask(bytes, true))?.pdf ?? { fault: "broken" };
}

async function ask(bytes: Uint8Array, asPdf: boolean): Promise<Reading | null> {
  try {
    // A copy: a view would transfer the whole request.
    return await pool.run({ bytes: new Uint8Array(bytes), asPdf });
  } catch (error) {
    if (error instanceof WorkerFailed) return null;
    throw error;
  }
}
