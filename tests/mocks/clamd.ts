/** A server that speaks the wire format of ClamAV's daemon (`zINSTREAM`), on loopback. It finds the string of EICAR, and misbehaves as a test says. */
import { createServer, type Socket } from "node:net";

/** In two parts, so that no scanner finds this file. */
export const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join("");

export type Behaviour = "scan" | "silent" | "slow" | "close" | "close-early" | "reset" | "error" | "garbage" | "flood";

export type Clamd = { port: number; behave: Behaviour; received: Buffer[]; close(): Promise<void> };

export async function startClamd(): Promise<Clamd> {
  const open = new Set<Socket>();
  const state: Clamd = { port: 0, behave: "scan", received: [], close: async () => {} };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
    if (state.behave === "close-early") return socket.end();
    if (state.behave === "reset") return socket.resetAndDestroy();
    let bytes = Buffer.alloc(0);
    let answered = false;
    socket.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      const file = answered ? null : readStream(bytes);
      if (file === null) return;
      answered = true;
      state.received.push(file);
      const verdict = file.includes(EICAR) ? "stream: Eicar-Test-Signature FOUND\0" : "stream: OK\0";
      if (state.behave === "silent") return;
      if (state.behave === "close") return void socket.end();
      if (state.behave === "error") return void socket.end("INSTREAM size limit exceeded. ERROR\0");
      if (state.behave === "garbage") return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n\0");
      if (state.behave === "flood") return void socket.end("x".repeat(100_000));
      if (state.behave !== "slow") return void socket.end(verdict);
      // One byte at a time, never the last one.
      let at = 0;
      const timer = setInterval(
        () => (at < verdict.length - 1 && !socket.destroyed ? socket.write(verdict[at++]!) : clearInterval(timer)),
        5,
      );
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address === "object" && address) state.port = address.port;
  state.close = () => {
    for (const socket of open) socket.destroy();
    return new Promise((closed) => server.close(() => closed()));
  };
  return state;
}

const COMMAND = "zINSTREAM\0";
/** Returns the file of a whole command, null while it is coming. @throws for bytes that are no such command */
function readStream(bytes: Buffer): Buffer | null {
  if (bytes.length < COMMAND.length) return null;
  if (bytes.toString("latin1", 0, COMMAND.length) !== COMMAND) throw new Error("not zINSTREAM");
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size === 0) return Buffer.concat(chunks);
    if (at + 4 + size > bytes.length) return null;
    chunks.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return null;
}
