/** Notifications in this browser: what it allows, subscribing, unsubscribing. Runs in the browser only. */

/** `iphone`: works after Nadi was added to the Home Screen. */
export type PushState = "on" | "off" | "denied" | "unsupported" | "iphone";

const bytesOf = (base64url: string) => Uint8Array.from(atob(base64url.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

const isIphone = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.userAgent.includes("Mac") && navigator.maxTouchPoints > 1);

/** Compares the key of a subscription with the server's: a browser that was subscribed with another key receives nothing. */
function hasKey(subscription: PushSubscription, key: string): boolean {
  const used = subscription.options.applicationServerKey;
  return !used || new Uint8Array(used).join() === bytesOf(key).join();
}

/** @param added whether the server has a subscription of this browser */
export async function readPushState(key: string, added: boolean): Promise<PushState> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return isIphone() ? "iphone" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  return added && subscription && hasKey(subscription, key) ? "on" : "off";
}

/**
 * Asks for the permission and subscribes. Call it in the handler of a press. The browser gets a new address each time, so that a
 * message to its user before never arrives here.
 * @returns null when the user did not allow it
 */
export async function subscribe(key: string): Promise<{ endpoint: string; p256dh: string; auth: string } | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
}
