/**
 * The message after an action. A banner at the top of the page in a new document, and after a client navigation if the message
 * `stays`; otherwise a sonner toast. sonner is not in the first JavaScript.
 */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useActionData, useLocation, useNavigation, useRouteLoaderData } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Note, type Tone } from "./pieces.tsx";
import { useSavedForm } from "./saved-form.ts";

/** `on`: the path of the page that showed it. */
export type ShownToast = ToastMessage & { on: string };
export type ToastMessage = { type: "success" | "error" | "info" | "warning"; message: string; stays?: boolean; id?: string };

const Nothing: typeof import("./toaster.tsx").default = () => <></>;
// Without its chunk the toast is lost, instead of showing the error page.
const Toaster = lazy(() => import("./toaster.tsx").catch(() => ({ default: Nothing })));
const tones: Record<ToastMessage["type"], Tone> = { success: "ok", error: "bad", info: "info", warning: "warn" };
const inBrowser = typeof document !== "undefined";
const UNREAD = Symbol("not read yet");

/** The toast of the document; `undefined` until the first render in the browser. */
let ofDocument: ToastMessage | null | undefined;
/** The banner in the browser and its history entry: a live refresh of the page's data keeps it, the next navigation ends it. */
let banner: { toast: ToastMessage; key: string } | null = null;
/** The action data of the document, when it is the response to a form. */
let actionOfDocument: unknown = inBrowser ? UNREAD : undefined;
const useToast = (): ToastMessage | null => {
  const toast = useRouteLoaderData<{ toast: ToastMessage | null }>("root")?.toast ?? null;
  if (inBrowser && ofDocument === undefined) ofDocument = toast;
  return toast;
};

/** Returns the banner of this page; null for none. */
function useBanner(): ToastMessage | null {
  const toast = useToast();
  const { key } = useLocation();
  if (!inBrowser) return toast;
  const isNew = toast !== null && (toast === ofDocument || toast.stays === true) && toast !== banner?.toast;
  if (isNew && (toast.id === undefined || toast.id !== banner?.toast.id)) banner = { toast, key };
  return banner?.key === key ? banner.toast : null;
}

/** The banner at the top of every page. */
export function StatusLine({ className = "mb-4" }: { className?: string }) {
  const actionData = useActionData();
  if (actionOfDocument === UNREAD) actionOfDocument = actionData;
  const toast = useBanner();
  const savedForm = useSavedForm();
  // Hidden after a later form: its response is about something else.
  const isOver = inBrowser && actionData !== undefined && actionData !== actionOfDocument;
  const shown = toast && !isOver ? <StatusNote {...toast} className={className} /> : null;
  if (!savedForm) return shown;
  return (
    <>
      {shown}
      <StatusNote type="info" message={m.accounts_form_kept()} className={className} />
    </>
  );
}
function StatusNote({ className, ...toast }: ToastMessage & { className: string }) {
  return (
    <Note tone={tones[toast.type]} role={toast.type === "error" ? "alert" : "status"} className={className}>
      {toast.message}
    </Note>
  );
}

/** Sets the toast cookie again for the document that replaces this one (http/toast.server.ts cleared it). */
export function restoreToast(toast: ToastMessage) {
  const [name, secure] = location.protocol === "https:" ? ["__Host-toast", "; Secure"] : ["toast", ""];
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is asynchronous, and the page is about to go
  document.cookie = `${name}=${encodeURIComponent(JSON.stringify(toast))}; Path=/; SameSite=Lax; Max-Age=60${secure}`;
}

const listeners = new Set<(toast: ToastMessage) => void>();
/** Shows a toast from the browser, for example for a live notification. */
export function showToast(toast: ToastMessage) {
  for (const listener of listeners) listener(toast);
}

/** Used once, in the root page: listens for toasts and loads sonner at the first one. */
export function Toasts() {
  const fromServer = useToast();
  const { pathname } = useLocation();
  const isSubmitting = useNavigation().state === "submitting";
  const here = useRef(pathname);
  here.current = pathname;
  // A list, because two toasts may come between two renderings.
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  useEffect(() => {
    const add = (toast: ToastMessage) => setToasts((before) => [...before, { ...toast, on: here.current }]);
    listeners.add(add);
    return () => void listeners.delete(add);
  }, []);
  const shown = useRef(ofDocument?.id);
  useEffect(() => {
    if (!fromServer || fromServer === ofDocument || fromServer.stays) return;
    // Two loads that run side by side, such as a redirect and a live refresh, can bring the same toast.
    const isSame = fromServer.id !== undefined && fromServer.id === shown.current;
    shown.current = fromServer.id;
    if (!isSame) showToast(fromServer);
  }, [fromServer]);
  return (
    toasts.length > 0 && (
      <Suspense>
        <Toaster toasts={toasts} here={pathname} isSubmitting={isSubmitting} />
      </Suspense>
    )
  );
}
