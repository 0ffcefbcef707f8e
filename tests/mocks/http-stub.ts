import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };
export type Reply = { status?: number; body?: string | Buffer; headers?: Record<string, string> } | "hang" | "drop";

/** Starts a stub of an outside service. It records requests in `seen` and sends the replies of `answer`. */
export async function httpStub(answer: (seen: Seen, nth: number) => Reply) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
      seen.push(call);
      const reply = answer(call, seen.length);
      if (reply === "hang") return;
      if (reply === "drop") return void request.socket.destroy();
      response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
      response.end(reply.body ?? "");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
