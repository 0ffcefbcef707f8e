/** A worker that echoes its input, or spins, fills its heap, throws or exits on request. */
import { parentPort } from "node:worker_threads";

const heap: number[][] = [];
parentPort?.on("message", (what: string) => {
  if (what === "spin") for (;;);
  if (what === "fill") for (;;) heap.push(new Array(10_000).fill(0.5));
  if (what === "throw") throw new Error("thrown");
  if (what === "end") process.exit(3);
  parentPort?.postMessage(what);
});
