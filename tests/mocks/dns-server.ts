/** A DNS server on loopback that answers as a test says, for names that change their address between two questions. */
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns";
import type { LookupAll } from "#app/integrations/public-http/post-public.server.ts";

/** What is answered to one question: addresses, an error code of DNS (3: no such name), or nothing at all. */
export type DnsAnswer = string[] | { error: number } | "silence";

/** Starts the server. `answers`: one for each question of type A, the last one for all further questions. */
export async function startDns(answers: DnsAnswer[]): Promise<{ resolve: LookupAll; asked: string[]; close(): Promise<void> }> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (message, { address, port }) => {
    const end = message.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; message[at]; at += message[at]! + 1) labels.push(message.toString("latin1", at + 1, at + 1 + message[at]!));
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(labels.join("."));
    if (answer === "silence") return;
    const list = Array.isArray(answer) ? answer : [];
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (Array.isArray(answer) ? 0 : answer.error), 2);
    head.writeUInt16BE(list.length, 6);
    head.fill(0, 8, 12);
    // Name: that of the question. A, IN, valid for no second, four bytes.
    const records = list.map((ip) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split(".").map(Number)]));
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: (hostname, done) =>
      resolver.resolve4(hostname, (error, found) =>
        done(
          error,
          (found ?? []).map((address) => ({ address, family: 4 })),
        ),
      ),
    asked,
    close: () => new Promise((closed) => socket.close(() => closed())),
  };
}
