/** Reading a request's body within its limit, also when it comes in chunks that declare no length. */
import type { IncomingMessage } from "node:http";

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** Up to this much is taken whole before React Router starts; more is handed on as it comes. */
export const BUFFERED = 256 * 1024;

/** The whole body. @throws BodyTooLarge */
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

/** The body as a web stream that counts; `onProgress` is called for each piece, `onTooLarge` once. */
export function readStream(req: IncomingMessage, limit: number, on: { progress(): void; tooLarge(): void }): ReadableStream<Uint8Array> {
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        req.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > limit) {
            req.removeAllListeners("data");
            req.pause();
            on.tooLarge();
            controller.error(new BodyTooLarge());
            return;
          }
          on.progress();
          controller.enqueue(new Uint8Array(chunk));
          if ((controller.desiredSize ?? 0) <= 0) req.pause();
        });
        req.once("end", () => {
          on.progress();
          if (size <= limit) controller.close();
        });
        req.once("error", (error) => controller.error(error));
        req.pause();
      },
      pull() {
        req.resume();
      },
      cancel() {
        req.removeAllListeners("data");
        req.resume();
      },
    },
    { highWaterMark: 256 * 1024, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/**
 * Lets go of a body nobody wants. A browser shows an answer only when its sending was not cut off, so a bounded rest is
 * read and thrown away; past that the connection is closed.
 */
export function drain(req: IncomingMessage, bounds = { bytes: 128 * 1024 * 1024, ms: 20_000 }): void {
  if (req.complete || req.destroyed) return;
  let size = 0;
  const end = () => {
    clearTimeout(timer);
    req.socket.destroySoon();
  };
  const timer = setTimeout(end, bounds.ms);
  timer.unref();
  req.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > bounds.bytes) {
      req.removeAllListeners("data");
      end();
    }
  });
  req.once("end", end);
  req.once("close", () => clearTimeout(timer));
  req.on("error", () => undefined);
  req.resume();
}
