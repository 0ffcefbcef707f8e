/** Reads request bodies within their limit, also without Content-Length. */
import type { IncomingMessage } from "node:http";

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** Bodies up to this size are read before React Router starts. Larger ones are streamed. */
export const BUFFERED = 256 * 1024;

/** Reads the whole body. @throws BodyTooLarge */
export function readWhole(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((ok, no) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      req.off("data", take);
      req.pause();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        stop();
        no(new BodyTooLarge());
      } else chunks.push(chunk);
    };
    req.on("data", take);
    req.once("end", () => ok(Buffer.concat(chunks)));
    req.once("error", no);
    req.once("aborted", () => no(new Error("aborted")));
  });
}

/** Returns the body as a web stream with a size limit. Calls `progress` for each chunk, `tooLarge` once. */
export function readStream(req: IncomingMessage, limit: number, on: { progress(): void; tooLarge(): void }): ReadableStream<Uint8Array> {
  let size = 0;
  let over = false;
  const stop = () => {
    over = true;
    req.removeAllListeners("data");
    req.pause();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        req.on("data", (chunk: Buffer) => {
          size += chunk.length;
          on.progress();
          if (size > limit) {
            stop();
            on.tooLarge();
            controller.error(new BodyTooLarge());
            return;
          }
          controller.enqueue(new Uint8Array(chunk));
          if ((controller.desiredSize ?? 0) <= 0) req.pause();
        });
        req.once("end", () => {
          if (!over) controller.close();
          over = true;
        });
        req.once("error", (error) => {
          if (!over) controller.error(error);
          over = true;
        });
        req.pause();
      },
      pull() {
        if (!over) req.resume();
      },
      cancel: stop,
    },
    { highWaterMark: 256 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/**
 * Drains an unread request body, because a browser shows the response only after it could send the whole body. Closes the
 * connection beyond the bounds. Call it before the response ends: node:http would drain without bounds.
 * @param closes the connection closes after the response. Bytes still on their way would reset it, and the response would be lost:
 *   resolves only after the last byte, or when none came for `quiet`
 */
export async function drain(req: IncomingMessage, closes: boolean, bounds = DRAINED): Promise<void> {
  if (req.complete || req.destroyed) return;
  let size = 0;
  const cut = () => req.socket.destroy();
  const timer = setTimeout(cut, bounds.ms);
  timer.unref();
  const drained = new Promise<void>((ok) => {
    const quiet = setTimeout(ok, bounds.quiet);
    quiet.unref();
    const stop = () => {
      clearTimeout(timer);
      clearTimeout(quiet);
      ok();
    };
    req.removeAllListeners("data");
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      quiet.refresh();
      if (size > bounds.bytes) cut();
    });
    req.once("close", stop);
    req.once("end", stop);
    req.on("error", () => undefined);
    req.resume();
  });
  if (closes) await drained;
}
const DRAINED = { bytes: 128 * 1024 * 1024, ms: 20_000, quiet: 1000 };
