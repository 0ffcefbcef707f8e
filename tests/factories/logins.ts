/** Logs in through the pages, as a browser without JavaScript. */
import { type Answer, Browser } from "../setup/http.ts";
import type { TestServer } from "../setup/server.ts";
import { typed } from "./people.ts";

/** A browser with its own IP address, so with its own rate limits. The server needs TRUST_PROXY=1. */
export class Caller extends Browser {
  readonly address: string;
  constructor(url: string, address: string) {
    super(url);
    this.address = address;
  }
  override send(method: string, path: string, init: { headers?: Record<string, string>; body?: BodyInit } = {}): Promise<Answer> {
    return super.send(method, path, { ...init, headers: { "x-forwarded-for": this.address, ...init.headers } });
  }
}
let addresses = 0;
export const newAddress = () => `203.0.113.${++addresses % 250}`;

/** Requests a code for this phone ("+91…") and returns it. */
export async function askCode(server: TestServer, browser: Browser, phone: string, headers?: Record<string, string>): Promise<string> {
  const answer = await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) }, headers);
  if (answer.status !== 303) throw new Error(`no code was sent: ${answer.status}`);
  return server.lastCode(phone);
}
export const tryCode = (browser: Browser, otp: string, headers?: Record<string, string>) =>
  browser.post("/dual-patient", { intent: "verify", otp }, headers);

/** Logs a patient in with a code. */
export async function logInPatient(server: TestServer, phone: string): Promise<Browser> {
  const browser = new Browser(server.url);
  const answer = await tryCode(browser, await askCode(server, browser, phone));
  if (answer.status !== 303) throw new Error(`the code was refused: ${answer.status}`);
  return browser;
}

export type Credentials = { email: string; password: string; mobile: string; mode?: "login" | "register" };
export const sendDoctorOtp = (browser: Browser, credentials: Credentials, headers?: Record<string, string>) =>
  browser.post("/dual-doctor", { intent: "send-otp", mode: "login", ...credentials, mobile: typed(credentials.mobile) }, headers);
/** Requests a code and submits it. Leaves "Continue" to the test. */
export async function proveDoctorPhone(server: TestServer, browser: Browser, credentials: Credentials) {
  const sent = await sendDoctorOtp(browser, credentials);
  if (sent.status !== 303) throw new Error(`no code was sent: ${sent.status} ${sent.text.slice(0, 200)}`);
  return browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(credentials.mobile) });
}
export const pressContinue = (browser: Browser) => browser.post("/dual-doctor", { intent: "continue" });
export const wrongCode = (right: string, n = 1) => String((Number(right) + n) % 1_000_000).padStart(6, "0");

/** Confirms the identity on /confirm-identity with a code. Returns the response to the code. */
export async function confirmIdentity(server: TestServer, browser: Browser, phone: string, next: string): Promise<Answer> {
  const page = `/confirm-identity?next=${encodeURIComponent(next)}`;
  const sent = await browser.post(page, { intent: "send" });
  if (sent.status !== 303) throw new Error(`no code was sent: ${sent.status}`);
  return browser.post(page, { intent: "verify", otp: await server.lastCode(phone) });
}

/** Sends again after 503: on a busy machine one of many concurrent requests may wait longer for its lock than the database allows. */
export async function persist(request: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await request();
    if (answer.status !== 503) return answer;
  }
  throw new Error("the server was busy twenty times in a row");
}
