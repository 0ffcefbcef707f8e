/** Clients that send a body one byte at a time. The limit of 30 s is shortened to one. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
beforeAll(async () => {
  server = await startServer({ env: { BODY_SECONDS: "1" } });
  patient = await loginAs(server, DEMO.patient);
});
const open: Socket[] = [];
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.stop();
});

type Drip = { path: string; method?: string; type?: string; cookie?: string; chunked?: boolean; bytes?: number; start?: string };
/** Opens a connection and sends `bytes` of the body every 50 ms. Resolves with the response when the server closes the connection. */
function drip({
  path,
  method = "POST",
  type = "application/x-www-form-urlencoded",
  cookie,
  chunked,
  bytes = 1,
  start = "",
}: Drip): Promise<string> {
  return new Promise((ok) => {
    const socket = connect(server.port, "127.0.0.1");
    open.push(socket);
    let answer = "";
    const head = [
      `${method} ${path} HTTP/1.1`,
      `host: localhost:${server.port}`,
      `origin: ${server.url}`,
      `content-type: ${type}`,
      ...(cookie ? [`cookie: ${cookie}`] : []),
      chunked ? "transfer-encoding: chunked" : "content-length: 200000",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${start}`);
    const piece = "a".repeat(bytes);
    const timer = setInterval(() => socket.writable && socket.write(chunked ? `${bytes.toString(16)}\r\n${piece}\r\n` : piece), 50);
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      ok(answer);
    });
  });
}

test.concurrent.each<[string, Drip]>([
  ["a form", { path: "/dual-patient" }],
  ["a form in chunks", { path: "/dual-patient", chunked: true }],
  ["a call of the API", { path: "/api/otp/send-otp", type: "application/json" }],
  ["a page that is read", { path: "/choose-role", method: "GET" }],
  ["a page that does not exist", { path: "/nowhere" }],
  ["a file", { path: "/favicon.svg" }],
  ["health", { path: "/healthz", method: "GET" }],
  ["polling", { path: "/socket.io/?EIO=4&transport=polling" }],
])("%s at 20 bytes a second ends", async (_, request) => {
  const answer = await drip(request);
  // Some are answered before the body is complete, and only then end.
  expect(answer.slice(0, 13)).toMatch(/^(HTTP\/1\.1 (408|4\d\d|200) |$)/);
});
test("answers a form that is too slow with 408 and a page", async () => {
  const answer = await drip({ path: "/dual-patient" });
  expect(answer.slice(0, 13)).toBe("HTTP/1.1 408 ");
  expect(answer).toContain("</html>");
  expect(await drip({ path: "/api/otp/send-otp", type: "application/json" })).toContain('{"success":false');
});
const UPLOAD = {
  path: "/patient/profile/edit",
  type: "multipart/form-data; boundary=x",
  start: '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
};
test("an upload at 20 bytes a second ends", async () => {
  const answer = await drip({
    ...UPLOAD,
    cookie: `nadi_session=${patient.token}`,
  });
  expect(answer.slice(0, 13)).toBe("HTTP/1.1 408 ");
});
test("an upload over a slow connection may exceed the limit while it makes progress", async () => {
  // 400 bytes each 50 ms are 8,000 a second: 200,000 take 25 s, and the timeout of the socket is 3.
  const upload = drip({
    ...UPLOAD,
    cookie: `nadi_session=${patient.token}`,
    bytes: 400,
  });
  const winner = await Promise.race([upload, new Promise((ok) => setTimeout(() => ok("still open"), 3000))]);
  expect(winner).toBe("still open");
});
test("the server survives", async () => {
  expect((await patient.get("/patient-dashboard")).status).toBe(200);
});
