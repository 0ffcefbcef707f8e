/** Runs the real service worker (public/sw.js) with a fake browser around it: what it shows, and what a press opens. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

const source = readFileSync("public/sw.js", "utf8");
const ORIGIN = "https://nadi.example";

type Fake = { windows?: string[]; on?: boolean; subscribed?: unknown };
/** Starts the worker in a browser with these open windows. `on`: what the server responds to a report. `subscribed`: the result of a new subscription. */
function startWorker({ windows = [], on = true, subscribed }: Fake = {}) {
  const listeners = new Map<string, (event: object) => void>();
  const seen = {
    shown: [] as unknown[],
    focused: [] as string[],
    opened: [] as string[],
    reports: [] as unknown[],
    options: [] as unknown[],
  };
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: object) => void seen.shown.push({ title, ...options }),
      pushManager: {
        subscribe: async (options: unknown) => {
          seen.options.push(options);
          return subscribed;
        },
      },
    },
    clients: {
      matchAll: async () => windows.map((url) => ({ url, focus: async () => void seen.focused.push(url) })),
      openWindow: async (url: string) => void seen.opened.push(url),
    },
  };
  const fetch = async (path: string, { method, body }: { method: string; body: URLSearchParams }) => {
    seen.reports.push({ path, method, ...Object.fromEntries(body) });
    return { ok: true, json: async () => ({ on }) };
  };
  runInNewContext(source, { self, location: { origin: ORIGIN }, URL, URLSearchParams, fetch });
  return {
    ...seen,
    /** Dispatches an event and waits for everything that the browser would wait for. A browser may stop the worker after that. */
    async dispatch(type: string, event: object) {
      const work: unknown[] = [];
      listeners.get(type)!({ ...event, waitUntil: (one: unknown) => work.push(one) });
      expect(work).toHaveLength(1);
      await Promise.all(work);
    },
  };
}
const data = (text: string) => ({ json: () => JSON.parse(text), text: () => text });
const PICTURES = { icon: "/icon-192.png", badge: "/badge-96.png" };

describe("a message", () => {
  const message = {
    title: "Appointment accepted",
    body: "Mon 30 Nov, 10:00 AM",
    lang: "te",
    tag: "appointment-1",
    path: "/patient/appointments/1",
  };
  it("is shown with its title, text, language and tag, and replaces the one before with a sound", async () => {
    const worker = startWorker();
    await worker.dispatch("push", { data: data(JSON.stringify(message)) });
    const { path, ...rest } = message;
    expect(worker.shown).toEqual([{ ...rest, ...PICTURES, renotify: true, data: { path } }]);
  });
  it("shows nothing else that a payload has", async () => {
    const worker = startWorker();
    await worker.dispatch("push", {
      data: data(JSON.stringify({ ...message, patient: "Lakshmi", image: "https://evil.example/x.png", actions: [{ title: "Fever" }] })),
    });
    expect(JSON.stringify(worker.shown)).not.toMatch(/Lakshmi|evil|Fever/);
  });
  it.each([
    ["without a payload", null],
    ["that is no JSON", data("<html>")],
    ["that is empty", data("")],
    ["of null", data("null")],
    ["of a number", data("7")],
    ["of a list", data("[1]")],
    ["without fields", data("{}")],
  ])("%s is shown as one of Nadi, because browsers require a notification for each", async (_, payload) => {
    const worker = startWorker();
    await worker.dispatch("push", { data: payload });
    expect(worker.shown).toEqual([
      { title: "Nadi", body: "", lang: "en", tag: "nadi", ...PICTURES, renotify: true, data: { path: "/start" } },
    ]);
  });
});

describe("a press of a notification", () => {
  const press = async (path: unknown, windows: string[] = []) => {
    const worker = startWorker({ windows });
    let closed = 0;
    const stored = path === undefined ? undefined : { path };
    await worker.dispatch("notificationclick", { notification: { data: stored, close: () => void closed++ } });
    expect(closed).toBe(1);
    return worker;
  };
  it("shows the open window of its page", async () => {
    const { focused, opened } = await press("/patient/appointments/1", [`${ORIGIN}/`, `${ORIGIN}/patient/appointments/1`]);
    expect([focused, opened]).toEqual([[`${ORIGIN}/patient/appointments/1`], []]);
  });
  it("opens its page, and replaces no other window", async () => {
    const { focused, opened } = await press("/patient/appointments/1", [`${ORIGIN}/patient/appointments/12`]);
    expect([focused, opened]).toEqual([[], [`${ORIGIN}/patient/appointments/1`]]);
  });
  it.each(["https://evil.example/x", "//evil.example/x", "/\\evil.example", "javascript:alert(1)", "data:text/html,x", 7, null, undefined])(
    "opens the start page for %j, which is no page of Nadi",
    async (path) => {
      const { focused, opened } = await press(path, ["https://evil.example/x"]);
      expect([focused, opened]).toEqual([[], [`${ORIGIN}/start`]]);
    },
  );
});

describe("a subscription that the browser replaces", () => {
  const subscription = (endpoint: string) => {
    const made = {
      endpoint,
      options: { userVisibleOnly: true },
      ended: 0,
      toJSON: () => ({ endpoint, keys: { p256dh: "key", auth: "secret" } }),
      unsubscribe: async () => void made.ended++,
    };
    return made;
  };
  const [before, after] = ["https://push.example.com/before", "https://push.example.com/after"];
  const report = { path: "/push/browser", method: "POST", endpoint: before, next: after, p256dh: "key", auth: "secret" };
  it("is reported with its new address and keys", async () => {
    const [worker, next] = [startWorker(), subscription(after)];
    await worker.dispatch("pushsubscriptionchange", { oldSubscription: subscription(before), newSubscription: next });
    expect([worker.reports, worker.options, next.ended]).toEqual([[report], [], 0]);
  });
  it("is made with the same settings where the browser made none", async () => {
    const old = subscription(before);
    const worker = startWorker({ subscribed: subscription(after) });
    await worker.dispatch("pushsubscriptionchange", { oldSubscription: old });
    expect([worker.reports, worker.options]).toEqual([[report], [old.options]]);
  });
  it("ends when the server does not know the one before", async () => {
    const [worker, next] = [startWorker({ on: false }), subscription(after)];
    await worker.dispatch("pushsubscriptionchange", { oldSubscription: subscription(before), newSubscription: next });
    expect(next.ended).toBe(1);
  });
  it("is not reported without the one before, whose address proves whose it is", async () => {
    const worker = startWorker();
    await worker.dispatch("pushsubscriptionchange", { oldSubscription: null, newSubscription: subscription(after) });
    expect(worker.reports).toEqual([]);
  });
});
