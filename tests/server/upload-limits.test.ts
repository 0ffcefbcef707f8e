/** Upload limits of the pages and calls that take files, over HTTP: what is declared larger is refused before it is sent. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

/** Sends a head that asks before it sends `bytes`, and returns the status of the first response: 100 asks for the body. */
function ask(method: string, path: string, type: string, bytes: number): Promise<number> {
  return new Promise((ok, no) => {
    const socket = connect(server.port, "127.0.0.1");
    socket.once("error", no);
    socket.once("data", (data) => {
      socket.destroy();
      ok(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(data))?.[1]));
    });
    const head = [`${method} ${path} HTTP/1.1`, `Host: localhost:${server.port}`, `Origin: ${server.url}`, "Expect: 100-continue"];
    socket.write(`${[...head, `Content-Type: ${type}`, `Content-Length: ${bytes}`].join("\r\n")}\r\n\r\n`);
  });
}

const MB = 1024 * 1024;
const FILES = "multipart/form-data; boundary=x";
it.each([
  ["POST", "/patient/appointments/patient-detail?doctorId=1", FILES, 64 * MB],
  ["POST", "/patient/appointments/patient-detail.data", FILES, 64 * MB],
  ["POST", "/doctor-verification", FILES, 96 * MB],
  ["POST", "/doctor/profile/edit", FILES, 64 * MB],
  ["POST", "/patient/profile/edit", FILES, 64 * MB],
  ["POST", "/patient/ai-chat", FILES, 24 * MB],
  ["POST", "/patient/chat", FILES, 24 * MB],
  ["POST", "/patient/ai-chat/ask", FILES, 24 * MB],
  ["POST", "/api/appointments/book", FILES, 64 * MB],
  ["POST", "/api/doctor/verify-doctor", FILES, 96 * MB],
  ["PUT", "/api/patient/profile/add", FILES, 64 * MB],
  ["POST", "/api/chat/voice", FILES, 12 * MB],
  ["PUT", "/api/doctor/profile", "application/json", 15 * MB],
  ["POST", "/patient/appointments/patient-detail", "application/x-www-form-urlencoded", MB / 4],
  ["POST", "/patient/family/add", FILES, MB / 4],
  ["POST", "/api/chat", FILES, MB / 4],
])("%s %s accepts %s up to its limit", async (method, path, type, bytes) => {
  expect(await ask(method, path, type, bytes)).toBe(100);
  expect(await ask(method, path, type, bytes + 1)).toBe(413);
});
