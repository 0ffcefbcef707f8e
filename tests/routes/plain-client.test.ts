/**
 * The booking journey in a client like lynx, w3m or mechanize: links, forms and cookies, a Referer, and neither Origin nor Sec-
 * Fetch-Site. Fields and URLs come from the pages.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, type TestDoctor } from "../factories/people.ts";
import { raw } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
beforeAll(async () => {
  server = await startServer();
  doctor = await makeDoctor(server.db, { slots: [{ date: dayFromNow(3), time: "10:30" as TestDoctor["slots"][0]["time"] }] });
});
afterAll(() => server.stop());

/** A text browser. `referers: false` sends no Referer. */
class TextBrowser {
  readonly cookies = new Map<string, string>();
  readonly referers: boolean;
  page = { url: "", html: "", status: 0 };
  constructor({ referers = true } = {}) {
    this.referers = referers;
  }
  async open(path: string, fields?: Record<string, string>): Promise<void> {
    const url = new URL(path, this.page.url || server.url);
    const post = fields !== undefined;
    const answer = await raw(server.url, {
      method: post ? "POST" : "GET",
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        "user-agent": "Lynx/2.9.0",
        ...(this.cookies.size ? { cookie: [...this.cookies].map((pair) => pair.join("=")).join("; ") } : {}),
        ...(this.referers && this.page.url ? { referer: this.page.url } : {}),
        ...(post ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      },
      ...(post ? { body: new URLSearchParams(fields).toString() } : {}),
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      this.cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    this.page = { url: url.href, html: answer.text, status: answer.status };
    if (answer.status >= 300 && answer.status < 400) await this.open(answer.headers.location ?? "/");
  }
  /** Returns the URL of the first matching link. */
  link(fits: RegExp): string {
    const href = [...this.page.html.matchAll(/href="([^"]+)"/g)]
      .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
      .find((href) => fits.test(href));
    if (!href) throw new Error(`no link ${fits} on ${this.page.url}`);
    return href;
  }
  /** Submits the form that has this button, with these values over those of the page. */
  async submit(button: { name: string; value: string }, over: Record<string, string> = {}): Promise<void> {
    const form = [...this.page.html.matchAll(/<form\b[\s\S]*?<\/form>/g)]
      .map(([form]) => form)
      .find((form) => form.includes(`name="${button.name}"`) && form.includes(`value="${button.value}"`));
    if (!form) throw new Error(`no button ${button.value} on ${this.page.url}`);
    const action = /^<form[^>]*\saction="([^"]*)"/.exec(form)?.[1]?.replaceAll("&amp;", "&");
    const fields = Object.fromEntries(Object.entries(valuesOf(form)).filter(([name]) => name !== ""));
    await this.open(action ?? this.page.url, { ...fields, ...over, [button.name]: button.value });
  }
}

async function login(client: TextBrowser, phone: string) {
  await client.open("/choose-role");
  await client.open(client.link(/^\/dual-patient/));
  await client.submit({ name: "intent", value: "send" }, { phoneNumber: phone });
  await client.submit({ name: "intent", value: "verify" }, { otp: await server.lastCode(`+91${phone}`) });
  expect(client.page.url).toContain("/patient-dashboard");
}

test("books a doctor with links, forms and a Referer only", async () => {
  const client = new TextBrowser();
  await login(client, "9811230001");
  await client.open(client.link(/^\/doctorspages\/Cards-data/));
  await client.open(`/details/doctor/${doctor.id}`);
  await client.open(client.link(/^\/patient\/appointments.*[?&]doctorId=/));
  const [slot] = doctor.slots;
  expect(client.page.html).toMatch(new RegExp(`name="time"[^>]*value="${slot!.time}"|value="${slot!.time}"[^>]*name="time"`));
  await client.open(`/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${slot!.date}&time=${slot!.time}`);
  await client.submit({ name: "intent", value: "book" }, { name: "Lakshmi Devi", phone: "9811230001", age: "34", gender: "female" });
  expect(client.page.status).toBe(200);
  expect(client.page.url).toMatch(/\/patient\/appointments\/payment\/[0-9a-f-]{36}$/);
  await client.open("/patient/calendar");
  await client.open(client.link(/\/cancel$/));
  expect(client.page.status).toBe(200);
});

test("asks clients to send the Referer to this site only", async () => {
  const { headers } = await raw(server.url, { path: "/dual-patient" });
  expect(headers["referrer-policy"]).toBe("same-origin");
});

test("refuses a change with a session and without a Referer, or with one of another site", async () => {
  const client = new TextBrowser({ referers: false });
  // The login itself has no session, so there is nothing to protect yet.
  await login(client, "9811230002");
  await client.open("/language", { language: "te" });
  expect(client.page.status).toBe(403);
  const headers = {
    cookie: [...client.cookies].map((pair) => pair.join("=")).join("; "),
    "content-type": "application/x-www-form-urlencoded",
  };
  const press = (referer: string) =>
    raw(server.url, { method: "POST", path: "/language", headers: { ...headers, referer }, body: "language=te" });
  for (const referer of ["https://evil.example/", `https://evil.example/?${server.url}/`, `${server.url}.evil.example/`, "about:blank", ""])
    expect((await press(referer)).status, referer).toBe(403);
  expect((await press(`${server.url}/patient-dashboard`)).status).toBe(303);
});
