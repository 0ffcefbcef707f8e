/// <reference lib="webworker" />
// @ts-check
/**
 * The service worker: only the page for when there is no network. It caches two pages: /offline for every user, and a
 * patient's /patient/offline with the upcoming visits. The second is deleted when a user logs in or out here, and when the
 * server refuses it. It answers nothing else, so no page is ever old.
 * docs/decisions/021-assistant-sos-and-offline.md
 */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = "nadi-offline-1";
const PUBLIC = "/offline";
const MINE = "/patient/offline";
/** Requests that change the user of this phone, or their language. */
const CHANGES_USER = /^\/(logout|dual-patient|dual-doctor|language|patient\/data\/delete)(\.data)?$/;
const MINUTE = 60_000;
/** Maximum age of the cached pages while there is a network. */
const FRESH = 10 * MINUTE;
/** A list of visits is not shown after a week. */
const MAX_AGE = 7 * 24 * 60 * MINUTE;

/** @type {Map<string, number>} when each page was last requested; empty after a restart of the worker, which requests it again */
const asked = new Map();
/** Counts the changes of user: a page requested before one is not cached after it. */
let userChanges = 0;

worker.addEventListener("install", (event) => event.waitUntil(refresh(PUBLIC).then(() => worker.skipWaiting())));

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
    if (CHANGES_USER.test(pathname)) event.waitUntil(forget());
    asked.clear();
    return;
  }
  if (request.mode === "navigate") event.respondWith(navigate(event, pathname));
});

/** @param {FetchEvent} event @param {string} pathname */
async function navigate(event, pathname) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(refreshBoth(pathname).catch(() => undefined));
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
async function refreshBoth(pathname) {
  await refresh(PUBLIC);
  const cached = await (await caches.open(CACHE)).match(MINE);
  if (cached || pathname.startsWith("/patient")) await refresh(MINE);
}

/** @param {string} path */
async function refresh(path) {
  const now = Date.now();
  if (now - (asked.get(path) ?? 0) < FRESH) return;
  asked.set(path, now);
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
