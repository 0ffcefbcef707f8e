import { connect } from "node:net";
import { seconds } from "#app/lib/durations.ts";
import { WorkQueue } from "#app/lib/work-queue.ts";
import { unavailable } from "../failure.server.ts";
import type { VirusScanner } from "./virus-scan.server.ts";

/** Most bytes of an answer: a signature has a short name. */
const LONGEST_ANSWER = 4_096;
/** Most bytes in a chunk. */
const CHUNK = 64 * 1024;

/** Where clamd listens: a path of the file system, or host and port. */
export type ClamdAddress = { path: string } | { host: string; port: number };

const length = (bytes: number) => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes);
  return head;
};

/**
 * Scans with ClamAV's daemon: INSTREAM sends the bytes in chunks with their length before each, and an empty one at the end. One connection for each file.
 * @param limit of the whole exchange, in milliseconds
 */
export function clamd(address: ClamdAddress, limit = seconds(8)): VirusScanner {
  const queue = new WorkQueue({ name: "virus-scans", parallel: 4, waiting: 20, waitMs: seconds(5) });
  return { scan: (bytes) => queue.run(async () => verdictOf(await exchange(address, bytes, limit))) };
}

/** Sends a file and returns the answer. @throws DomainError("unavailable") without a whole answer in time */
function exchange(address: ClamdAddress, bytes: Uint8Array, limit: number): Promise<string> {
  return new Promise((answered, failed) => {
    const fail = (why: unknown) => failed(unavailable("clamd", why));
    const signal = AbortSignal.timeout(limit);
    const socket = connect({ ...address, signal });
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      answer += part;
      const end = answer.indexOf("\0");
      if (end >= 0) answered(answer.slice(0, end));
      else if (answer.length > LONGEST_ANSWER) fail("answer too long");
      else return;
      socket.destroy();
    });
    // Refused by clamd while the file is still being sent: its answer, if any, came before.
    socket.on("error", fail);
    socket.on("close", () => fail(signal.aborted ? signal.reason : "closed without an answer"));
    socket.write("zINSTREAM\0");
    for (let from = 0; from < bytes.byteLength; from += CHUNK) {
      const chunk = bytes.subarray(from, from + CHUNK);
      socket.write(length(chunk.byteLength));
      socket.write(chunk);
    }
    socket.write(length(0));
  });
}

/** Anything but the two answers that clamd gives about a stream is a failure, also an error of clamd itself. @throws DomainError("unavailable") */
function verdictOf(answer: string): "clean" | "infected" {
  if (answer === "stream: OK") return "clean";
  if (/^stream: .+ FOUND$/.test(answer)) return "infected";
  throw unavailable("clamd", /ERROR$/.test(answer) ? "answered with an error" : "unknown answer");
}
