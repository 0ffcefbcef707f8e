/// <reference lib="webworker" />
// @ts-check
/**
 * The service worker: nothing but the page for when there is no network. It keeps two pages: /offline for everybody, and a
 * patient's /patient/offline with the visits to come. The second is forgotten as soon as somebody logs in or out here, and
 * whenever the server no longer gives it to whoever holds this phone. It answers nothing else, so no page is ever old.
 * docs/decisions/022-sos-and-offline.md
 */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = "nadi-offline-1";
const PUBLIC = "/offline";
const MINE = "/patient/offline";
/** Who uses this phone, or their language, changes. */
const ANOTHER_PERSON = /^\/(logout|dual-patient|dual-doctor|language|patient\/data\/delete)(\.data)?$/;
const MINUTE = 60_000;
/** How old the kept pages may be while there is a network. */
const FRESH = 10 * MINUTE;
/** A list of visits of a week ago says too little to be shown. */
const KEEP = 7 * 24 * 60 * MINUTE;

/** @type {Map<string, number>} when each page was asked for last; after a rest of the worker it is asked for anew */
const asked = new Map();
/** Counts the changes of person: what was asked for before one may not be kept after it. */
let person = 0;

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
    if (ANOTHER_PERSON.test(pathname)) event.waitUntil(forget());
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
    const kept = await offlinePage();
    if (kept) return kept;
    throw error;
  }
}

async function offlinePage() {
  const cache = await caches.open(CACHE);
  const mine = await cache.match(MINE);
  const age = Date.now() - Date.parse(mine?.headers.get("date") ?? "");
  return mine && age < KEEP ? mine : cache.match(PUBLIC);
}

/** @param {string} pathname */
async function refreshBoth(pathname) {
  await refresh(PUBLIC);
  const held = await (await caches.open(CACHE)).match(MINE);
  if (held || pathname.startsWith("/patient")) await refresh(MINE);
}

/** @param {string} path */
async function refresh(path) {
  const now = Date.now();
  if (now - (asked.get(path) ?? 0) < FRESH) return;
  asked.set(path, now);
  const before = person;
  const response = await fetch(path, { redirect: "manual", cache: "no-store" });
  if (before !== person) return;
  const cache = await caches.open(CACHE);
  if (response.status === 200) await cache.put(path, response);
  // A way to the login, or a refusal: whoever holds the phone is not that patient. A server in trouble says nothing of it.
  else if (response.status < 500) await cache.delete(path);
}

async function forget() {
  person += 1;
  await (await caches.open(CACHE)).delete(MINE);
}
