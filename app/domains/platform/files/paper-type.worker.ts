/** Runs in a thread of its own: recognizes a document in bytes that may be hostile (paper-type.server.ts). */
import { parentPort } from "node:worker_threads";
import { paperTypeOf } from "./content-type.ts";

parentPort?.on("message", (bytes: Uint8Array) => parentPort?.postMessage(paperTypeOf(bytes)));
