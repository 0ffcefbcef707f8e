/** The hostile requests of the attack: each goes from one of a thousand addresses to the part of the product it hurts. */
import { randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { io } from "socket.io-client";
import { zip64Claiming, zipClaiming } from "../../tests/factories/zips.ts";

export type Target = {
  port: number;
  /** Cookies of patients who attack, logged in. */
  attackers: readonly string[];
  /** Phones of honest patients, as typed. */
  phones: readonly string[];
  doctorId: string;
  /** Of a place whose free times other websites may show. */
  slug: string;
  /** JPEGs of 49 megapixels in few bytes. */
  bombs: readonly Buffer[];
};
/** A status, or why there was none. */
export type Outcome = number | "closed" | "late";
type Attack = (target: Target, nth: number) => Promise<Outcome>;

const ADDRESSES = 1_000;
const addressOf = (n: number) => `198.18.${Math.floor((n % ADDRESSES) / 250)}.${(n % 250) + 1}`;
const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

function send(
  target: Target,
  nth: number,
  { method = "GET", path, headers = {}, body }: { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<Outcome> {
  return new Promise((ok) => {
    const origin = `http://localhost:${target.port}`;
    const own = { host: `localhost:${target.port}`, "x-forwarded-for": addressOf(nth), ...(method === "GET" ? {} : { origin }) };
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const req = request({ host: "127.0.0.1", port: target.port, method, path, headers: { ...own, ...length, ...headers }, agent: false });
    const timer = setTimeout(() => {
      ok("late");
      req.destroy();
    }, 40_000);
    req.on("response", (res) => {
      res.resume();
      res.once("close", () => {
        clearTimeout(timer);
        ok(res.statusCode ?? 0);
      });
    });
    req.on("error", () => {
      clearTimeout(timer);
      ok("closed");
    });
    req.end(body);
  });
}

const form = (target: Target, nth: number, path: string, body: string, headers: Record<string, string> = {}) =>
  send(target, nth, { method: "POST", path, body, headers: { "content-type": "application/x-www-form-urlencoded", ...headers } });
const json = (target: Target, nth: number, path: string, value: unknown) =>
  send(target, nth, { method: "POST", path, body: JSON.stringify(value), headers: { "content-type": "application/json" } });

function multipart(
  target: Target,
  nth: number,
  path: string,
  fields: Record<string, string>,
  file?: { field: string; name: string; bytes: Uint8Array },
) {
  const boundary = `----nadi${nth}`;
  const text = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = file
    ? `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\nContent-Type: image/jpeg\r\n\r\n`
    : "";
  const body = Buffer.concat([
    Buffer.from(text.join("") + head),
    file?.bytes ?? Buffer.alloc(0),
    Buffer.from(`${file ? "\r\n" : ""}--${boundary}--\r\n`),
  ]);
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, cookie: pick(target.attackers, nth) };
  return send(target, nth, { method: "POST", path, body, headers });
}

const FIELD_BOMBS = [
  "intent=send&phoneNumber[999999999]=1",
  `intent=send&phoneNumber${"[9999999]".repeat(5)}=1`,
  `intent=send&${"a.".repeat(5_000)}a=1`,
  `__intent__=${encodeURIComponent(JSON.stringify({ type: "update", payload: { name: "phoneNumber[5000000]", value: "1" } }))}`,
  "__intent__=null",
  "__intent__=x",
  "__state__=x",
  `intent=send&phoneNumber=${"9".repeat(200_000)}`,
  Array.from({ length: 5_000 }, (_, n) => `f${n}=1`).join("&"),
];
const JUNK = (n: number) =>
  pick(
    [
      `/${randomBytes(12).toString("hex")}`,
      `/doctorspages/Cards-data?${"q=a&".repeat(1_000)}`,
      "/admin/audit?action=constructor&actor=__proto__",
      "/files/..%2f..%2fetc%2fpasswd",
      "/%ff%fe",
      "/details/doctor/__proto__",
      "/patient-dashboard.data?_routes=routes%2Fpatient%2Fdashboard",
      `/doctorspages/Cards-data?search=${encodeURIComponent("%_\\'\"".repeat(100))}`,
      "/api/doctor?page=99999999999999999999&limit=1e9",
      `/patient/emergency-contact?lat=${"9".repeat(400)}&lng=NaN`,
      `/sos?n=${n}`,
    ],
    n,
  );

/** Sends one byte a second until the server closes the connection. */
const slowBody: Attack = (target, nth) =>
  new Promise((ok) => {
    const socket = connect(target.port, "127.0.0.1");
    let answer = "";
    socket.write(
      `POST /dual-patient HTTP/1.1\r\nHost: localhost:${target.port}\r\nOrigin: http://localhost:${target.port}\r\nX-Forwarded-For: ${addressOf(nth)}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n`,
    );
    const dripping = setInterval(() => socket.write("a"), 1_000);
    const late = setTimeout(() => socket.destroy(), 60_000);
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(dripping);
      clearTimeout(late);
      ok(Number(answer.slice(9, 12)) || "closed");
    });
  });

/** Sends 2,000 events at once through a websocket. */
const socketFlood: Attack = (target, nth) =>
  new Promise((ok) => {
    const socket = io(`http://localhost:${target.port}`, {
      path: "/socket.io",
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie: pick(target.attackers, nth), origin: `http://localhost:${target.port}`, "x-forwarded-for": addressOf(nth) },
    });
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      socket.disconnect();
      ok(outcome);
    };
    const timer = setTimeout(() => end("late"), 20_000);
    socket.on("connect", () => {
      for (let i = 0; i < 2_000; i++) socket.emit("join", { id: randomBytes(100).toString("hex") });
    });
    socket.on("connect_error", () => end("closed"));
    socket.on("disconnect", () => end("closed"));
  });

/** Requests in one write. */
const PIPELINED = 20;
/** Sends many requests at once over one connection. An answer that is missing counts as late. */
const pipelining: Attack = (target, nth) =>
  new Promise((ok) => {
    const socket = connect(target.port, "127.0.0.1");
    const statuses: number[] = [];
    const late = setTimeout(() => socket.destroy(), 40_000);
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      for (const [, status] of String(text).matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(Number(status));
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(late);
      ok(statuses.length < PIPELINED ? "late" : Math.max(...statuses));
    });
    const line = (i: number) =>
      `GET /hospitalpages/Cards-data?q=${nth}-${i} HTTP/1.1\r\nHost: localhost:${target.port}\r\nX-Forwarded-For: ${addressOf(nth)}\r\n${i === PIPELINED - 1 ? "Connection: close\r\n" : ""}\r\n`;
    socket.write(Array.from({ length: PIPELINED }, (_, i) => line(i)).join(""));
  });

/** What a browser sends from the payment provider's page, and what it never sends. */
const ORIGINS = ["null", "https://api.razorpay.com", "x", "https://evil.example/dual-patient?"];
const signed = (t: Target, n: number, path: string, type: string, body: string) =>
  send(t, n, {
    method: "POST",
    path,
    body,
    headers: { "content-type": type, origin: pick(ORIGINS, n), "x-razorpay-signature": "0".repeat(64) },
  });
const secret = (n: number) =>
  randomBytes(15)
    .toString("base64url")
    .slice(0, n % 9 ? 20 : 19);

const newKey = (n: number) => `hostile-key-${n % 7}`;
const code = (n: number) => String((n * 7919) % 1_000_000).padStart(6, "0");

export const SLOW_BODIES = "slow bodies";
/** Weights add up to 50: one second of the attack. */
export const ATTACKS: readonly { name: string; weight: number; attack: Attack }[] = [
  {
    name: "field names",
    weight: 5,
    attack: (t, n) => form(t, n, pick(["/dual-patient", "/dual-doctor", "/invitation/x"], n), pick(FIELD_BOMBS, n)),
  },
  {
    name: "zip bombs",
    weight: 3,
    attack: (t, n) =>
      multipart(
        t,
        n,
        "/patient/ai-chat",
        { intent: "ask", key: randomBytes(8).toString("hex"), message: "" },
        { field: "file", name: "a.docx", bytes: n % 2 ? zip64Claiming(0xffff_ffff) : zipClaiming(0xffff) },
      ),
  },
  {
    name: "pictures of 49 megapixels",
    weight: 1,
    attack: (t, n) =>
      multipart(
        t,
        n,
        "/patient/profile/edit",
        { name: "Hostile", gender: "male" },
        { field: "photo", name: "a.jpg", bytes: pick(t.bombs, n) },
      ),
  },
  {
    name: "registrations",
    weight: 6,
    attack: (t, n) =>
      form(
        t,
        n,
        "/dual-doctor",
        `intent=send-otp&mode=register&email=h${n}%40hostile.test&password=password-${n}&mobile=70${String(n).padStart(8, "0")}`,
      ),
  },
  {
    name: "codes to honest phones",
    weight: 5,
    attack: (t, n) => form(t, n, "/dual-patient", `intent=send&phoneNumber=${pick(t.phones, n)}`),
  },
  {
    name: "guessed codes",
    weight: 5,
    attack: (t, n) => json(t, n, "/api/auth/patient/verify-otp", { phone: pick(t.phones, n), otp: code(n) }),
  },
  {
    name: "guessed passwords",
    weight: 3,
    attack: (t, n) =>
      form(t, n, "/dual-doctor", `intent=send-otp&mode=login&email=doctor%40demo.test&password=guess-${n}&mobile=9000000101`),
  },
  { name: SLOW_BODIES, weight: 2, attack: slowBody },
  { name: "socket floods", weight: 1, attack: socketFlood },
  {
    name: "repeated keys",
    weight: 4,
    attack: (t, n) =>
      multipart(t, n, `/patient/appointments/patient-detail?doctorId=${t.doctorId}&date=2030-01-0${(n % 9) + 1}&time=09:00`, {
        intent: "book",
        idempotencyKey: newKey(n),
        name: `Hostile ${n}`,
        phone: "9000000009",
        age: "41",
        gender: "female",
        bloodGroup: "",
        medicalHistory: "x".repeat(2_000),
        reason: "",
      }),
  },
  {
    name: "junk addresses",
    weight: 5,
    attack: (t, n) => send(t, n, { path: JUNK(n), ...(n % 3 ? {} : { headers: { cookie: pick(t.attackers, n) } }) }),
  },
  {
    name: "payment returns",
    weight: 2,
    attack: (t, n) =>
      signed(
        t,
        n,
        `/payments/return/${n % 3 ? randomUUID() : "x"}`,
        "application/x-www-form-urlencoded",
        `razorpay_payment_id=pay_${n}&razorpay_order_id=order_${n}&razorpay_signature=${"0".repeat(64)}`,
      ),
  },
  {
    name: "webhooks of payments",
    weight: 2,
    attack: (t, n) =>
      signed(
        t,
        n,
        "/webhooks/razorpay",
        "application/json",
        n % 3
          ? JSON.stringify({ event: "payment.captured", payload: { payment: { entity: { id: `pay_${n}`, amount: 1 } } } })
          : "[".repeat(50_000),
      ),
  },
  { name: `${PIPELINED} requests in one write`, weight: 1, attack: pipelining },
  {
    name: "guessed tokens",
    weight: 2,
    attack: (t, n) => send(t, n, { path: `/${pick(["q", "tv", "arrive", "rx", "s", "calendar"], n)}/${secret(n)}` }),
  },
  {
    name: "questions to support",
    weight: 1,
    attack: (t, n) =>
      form(
        t,
        n,
        "/patient/support/write",
        `topic=${n % 3 ? "other" : "__proto__"}&key=${newKey(n)}&message=${"x".repeat(n % 2 ? 200 : 60_000)}`,
        { cookie: pick(t.attackers, n) },
      ),
  },
  {
    name: "push subscriptions",
    weight: 1,
    attack: (t, n) =>
      n % 2
        ? form(t, n, "/push/browser", `endpoint=https%3A%2F%2Fpush.example%2F${n}&next=https%3A%2F%2F127.0.0.1%2F${n}&p256dh=x&auth=x`)
        : form(t, n, "/patient/settings/push", `intent=on&endpoint=https%3A%2F%2F169.254.169.254%2F${n}&p256dh=x&auth=x`, {
            cookie: pick(t.attackers, n),
          }),
  },
  {
    name: "frames of other websites",
    weight: 1,
    attack: (t, n) =>
      send(t, n, { path: `/embed/${n % 2 ? t.slug : `no-such-place-${n}`}?lang=${n}`, headers: { origin: "https://evil.example" } }),
  },
];
