import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type Letter = { from: string; to: string[]; data: string };
/** How the server misbehaves: says nothing at all, refuses the receiver, closes in the middle. */
export type Manner = "good" | "silent" | "refuses" | "drops" | "trickles";

/** As much of an SMTP server as a letter needs. */
export async function smtpSink(manner: Manner = "good") {
  const letters: Letter[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (manner === "silent") return;
    if (manner === "trickles") {
      const timer = setInterval(() => socket.write("220-still here\r\n"), 40);
      socket.on("close", () => clearInterval(timer));
      return;
    }
    const say = (line: string) => socket.write(`${line}\r\n`);
    let letter: Letter = { from: "", to: [], data: "" };
    let inData = false;
    let rest = "";
    say("220 sink ESMTP");
    socket.setEncoding("utf8").on("data", (text: string) => {
      rest += text;
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (inData) {
          if (line !== ".") letter.data += `${line.replace(/^\./, "")}\n`;
          else {
            inData = false;
            letters.push(letter);
            letter = { from: "", to: [], data: "" };
            say("250 kept");
          }
          continue;
        }
        if (/^EHLO/i.test(line)) say("250 sink");
        else if (/^MAIL FROM:/i.test(line)) {
          letter.from = /<(.*?)>/.exec(line)?.[1] ?? "";
          say("250 ok");
        } else if (/^RCPT TO:/i.test(line)) {
          letter.to.push(/<(.*?)>/.exec(line)?.[1] ?? "");
          say(manner === "refuses" ? "550 5.1.1 <someone@demo.test> no such box" : "250 ok");
        } else if (/^DATA/i.test(line)) {
          if (manner === "drops") return void socket.destroy();
          inData = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) {
          say("221 bye");
          socket.end();
        } else say("250 ok");
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letters,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
