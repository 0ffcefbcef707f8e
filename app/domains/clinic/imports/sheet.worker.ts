/** Worker thread: reads a table in bytes that may be hostile (read-sheet.server.ts). */
import { parentPort } from "node:worker_threads";
import { readSheet } from "./sheet.ts";

parentPort?.on("message", async ({ bytes, sheet }: { bytes: Uint8Array; sheet: string | null }) =>
  parentPort?.postMessage(await readSheet(bytes, sheet)),
);
