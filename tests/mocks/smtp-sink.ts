import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type Email = { from: string; to: string[]; data: string };
/** How the server misbehaves: never responds, refuses the recipient, disconnects, sends slowly. */
export type Manner = "good" | "silent" | "refuses" | "drops" | "trickles";

/**
 * Starts an SMTP server that records the emails it receives.
 * @param how also chosen for each connection
 */
export async function smtpSink(how: Manner | (() => Manner) = "good") {
  const emails: Email[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const manner = typeof how === "function" ? how() : how;
    if (manner === "silent") return;
    if (manner === "trickles") {
      const timer = setInterval(() => socket.write("220-still here\r\n"), 40);
      socket.on("close", () => clearInterval(timer));
      return;
    }
    const send = (line: string) => socket.write(`${line}\r\n`);
    let email: Email = { from: "", to: [], data: "" };
    let inData = false;
    let rest = "";
    send("220 sink ESMTP");
    socket.setEncoding("utf8").on("data", (text: string) => {
      rest += text;
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (inData) {
          if (line !== ".") email.data += `${line.replace(/^\./, "")}\n`;
          else {
            inData = false;
            emails.push(email);
            email = { from: "", to: [], data: "" };
            send("250 stored");
          }
          continue;
        }
        if (/^EHLO/i.test(line)) send("250 sink");
        else if (/^MAIL FROM:/i.test(line)) {
          email.from = /<(.*?)>/.exec(line)?.[1] ?? "";
          send("250 ok");
        } else if (/^RCPT TO:/i.test(line)) {
          email.to.push(/<(.*?)>/.exec(line)?.[1] ?? "");
          send(manner === "refuses" ? "550 5.1.1 <someone@demo.test> no such box" : "250 ok");
        } else if (/^DATA/i.test(line)) {
          if (manner === "drops") return void socket.destroy();
          inData = true;
          send("354 go on");
        } else if (/^QUIT/i.test(line)) {
          send("221 bye");
          socket.end();
        } else send("250 ok");
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
