/// <reference lib="webworker" />
// @ts-check
/**
 * The service worker: the pages for when there is no network, and notifications while Nadi is closed.
 *
 * It caches three pages: /offline and the emergency page without a network for every user, and a patient's /patient/offline with the
 * upcoming visits. The last is deleted when a user logs in or out here, and when the server refuses it. It answers nothing else, so no
 * page is ever old. SOS waits less than a second for the network, then the stored emergency page opens. Its script returns to the live
 * one (app/server/no-network.js).
 * docs/decisions/021-assistant-sos-and-offline.md
 *
 * It shows the messages of the server. After a page it reports its subscription, so that a browser with another user gets no more
 * messages to the one before. docs/decisions/086-web-push.md
 */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = "nadi-offline-1";
const PUBLIC = "/offline";
const MINE = "/patient/offline";
const SOS = "/patient/emergency-contact";
const SOS_STORED = "/patient/emergency-contact/offline";
/** Requests that change the user of this phone, or their language. */
const CHANGES_USER = /^\/(logout|dual-patient|dual-doctor|language|patient\/data\/delete)(\.data)?$/;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Longest wait for the network after a press of SOS. A network that hangs reports no error. */
const SOS_PATIENCE = 0.8 * SECOND;
/** Maximum age of the cached pages while there is a network. */
const FRESH = 10 * MINUTE;
/** A list of visits is not shown after a week. */
const MAX_AGE = 7 * 24 * 60 * MINUTE;

/** @type {Map<string, number>} when each page was last requested; empty after a restart of the worker, which requests it again */
const asked = new Map();
/** Counts the changes of user: a page requested before one is not cached after it. */
let userChanges = 0;

worker.addEventListener("install", (event) => event.waitUntil(Promise.all([refresh(PUBLIC), refresh(SOS_STORED)]).then(() => worker.skipWaiting())));

worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
async function takeOver() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  // A page is asked for while the worker still wakes.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method !== "GET") {
    asked.clear();
    if (CHANGES_USER.test(pathname)) event.waitUntil(forget());
  }
  if (request.mode !== "navigate") return;
  if (pathname === SOS) event.respondWith(openSos(event));
  else if (request.method === "GET") event.respondWith(navigate(event, pathname));
});

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {FetchEvent} event @returns {Promise<Response>} */
const fromNetwork = async (event) => (await event.preloadResponse) ?? fetch(event.request);

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function openSos(event) {
  const network = fromNetwork(event);
  event.waitUntil(network.then(() => afterPage(SOS), () => undefined));
  // The emergency page itself shows the numbers until the answer arrives.
  const isOpen = event.request.referrer.split("?")[0] === location.origin + SOS;
  const answer = await Promise.race(isOpen ? [network] : [network, pause(SOS_PATIENCE)]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await (await caches.open(CACHE)).match(SOS_STORED)) ?? (await offlinePage()) ?? answer ?? network;
}

/** @param {FetchEvent} event @param {string} pathname */
async function navigate(event, pathname) {
  try {
    const response = await fromNetwork(event);
    event.waitUntil(afterPage(pathname));
    return response;
  } catch (error) {
    const cached = await offlinePage();
    if (cached) return cached;
    throw error;
  }
}

async function offlinePage() {
  const cache = await caches.open(CACHE);
  const mine = await cache.match(MINE);
  const age = Date.now() - Date.parse(mine?.headers.get("date") ?? "");
  return mine && age < MAX_AGE ? mine : cache.match(PUBLIC);
}

/** @param {string} pathname */
const afterPage = (pathname) => Promise.allSettled([refreshAll(pathname), reportBrowser()]);

/** @param {string} pathname */
async function refreshAll(pathname) {
  await refresh(PUBLIC);
  await refresh(SOS_STORED);
  const cached = await (await caches.open(CACHE)).match(MINE);
  if (cached || pathname.startsWith("/patient")) await refresh(MINE);
}

/** @param {string} path @returns {boolean} true when it was not requested a short time ago */
function isDue(path) {
  const now = Date.now();
  if (now - (asked.get(path) ?? 0) < FRESH) return false;
  asked.set(path, now);
  return true;
}

/** @param {string} path */
async function refresh(path) {
  if (!isDue(path)) return;
  const before = userChanges;
  const response = await fetch(path, { redirect: "manual", cache: "no-store" });
  if (before !== userChanges) return;
  const cache = await caches.open(CACHE);
  if (response.status === 200) await cache.put(path, response);
  // A redirect to the login, or a refusal: the user of the phone is not that patient. A server error proves nothing.
  else if (response.status < 500) await cache.delete(path);
}

async function forget() {
  userChanges += 1;
  await (await caches.open(CACHE)).delete(MINE);
}

const BROWSER = "/push/browser";

/** Ends the subscription of this browser when the server no longer sends to it: its user logged out, or another one logged in. */
async function reportBrowser() {
  const subscription = await worker.registration.pushManager?.getSubscription();
  if (subscription && isDue(BROWSER) && !(await report({ endpoint: subscription.endpoint }))) await subscription.unsubscribe();
}

/** @param {Record<string, string>} fields @returns {Promise<boolean>} false only when the server says so */
async function report(fields) {
  const response = await fetch(BROWSER, { method: "POST", body: new URLSearchParams(fields) });
  return !response.ok || (await response.json()).on !== false;
}

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(replaceSubscription(event)));
/** @param {PushSubscriptionChangeEvent} event */
async function replaceSubscription({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const next = newSubscription ?? (await worker.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint = "", keys = {} } = next.toJSON();
  const fields = { endpoint: oldSubscription.endpoint, next: endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
  if (!(await report(fields))) await next.unsubscribe();
}

/** @typedef {{ title: string; body: string; lang: string; tag: string; path: string }} Message */

worker.addEventListener("push", (event) => event.waitUntil(show(event.data)));
/** @param {PushMessageData | null} data */
function show(data) {
  /** @type {Partial<Message>} */
  let message = {};
  try {
    message = data?.json() ?? {};
  } catch {
    // A browser requires a notification for each message, also for one that cannot be read.
  }
  const { title = "Nadi", body = "", lang = "en", tag = "nadi", path = "/start" } = message;
  /** @type {NotificationOptions & { renotify: boolean }} */
  const options = { body, lang, tag, renotify: true, icon: "/icon-192.png", badge: "/badge-96.png", data: { path } };
  return worker.registration.showNotification(title, options);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});
/** Shows an open page of this address, or opens a new one: a page with a half-filled form is not replaced. @param {unknown} path */
async function openPage(path) {
  const { href, origin } = new URL(typeof path === "string" ? path : "/start", location.origin);
  const url = origin === location.origin ? href : `${location.origin}/start`;
  for (const client of await worker.clients.matchAll({ type: "window", includeUncontrolled: true }))
    if (client.url === url) return client.focus();
  return worker.clients.openWindow(url);
}
