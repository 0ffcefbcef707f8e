/** A receiver of webhooks that listens on this machine and can misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { path: string; headers: IncomingMessage["headers"]; body: string };
type Answer = number | ((response: ServerResponse, request: Received) => void);

export type Receiver = { origin: string; received: Received[]; answer: Answer; close(): Promise<void> };

/** Starts a receiver that answers 204 until `answer` is changed: another status, or a function that writes the response. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString("utf8") };
      receiver.received.push(received);
      if (typeof receiver.answer === "number") response.writeHead(receiver.answer).end();
      else receiver.answer(response, received);
    });
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: 204,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
