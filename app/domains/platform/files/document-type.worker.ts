/** Worker thread: detects a document in bytes that may be hostile (document-type.server.ts). */
import { parentPort } from "node:worker_threads";
import { documentTypeOf } from "./content-type.ts";

parentPort?.on("message", (bytes: Uint8Array) => parentPort?.postMessage(documentTypeOf(bytes)));
