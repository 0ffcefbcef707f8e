/** Worker thread: detects and checks a document in bytes that may be hostile (document-type.server.ts). */
import { parentPort } from "node:worker_threads";
import { documentTypeOf } from "./content-type.ts";
import { readPdf } from "./pdf.ts";

parentPort?.on("message", ({ bytes, asPdf }: { bytes: Uint8Array; asPdf: boolean }) =>
  parentPort?.postMessage(asPdf ? { type: null, pdf: readPdf(bytes) } : { type: documentTypeOf(bytes), pdf: null }),
);
