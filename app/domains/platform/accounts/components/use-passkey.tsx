import { useEffect, useState } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { useHydrated } from "#app/ui/use-hydrated.ts";

type Purpose = "add" | "login" | "confirm";
/** In a separate chunk, which only pages with a passkey button load. */
const browserPart = () => import("@simplewebauthn/browser");

/**
 * Requests a challenge from the server and the response from the browser. `ask` returns the response as JSON, or null with the
 * reason in `problem`. `ready`: this browser has passkeys; false without JavaScript.
 */
export function usePasskey(purpose: Purpose) {
  const hydrated = useHydrated();
  const ready = hydrated && window.isSecureContext && typeof PublicKeyCredential === "function";
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    // Loads before the press: some browsers open their dialog only immediately after it.
    if (ready) void browserPart().catch(() => undefined);
  }, [ready]);
  async function ask(): Promise<string | null> {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await fetch(href("/passkey-options"), { method: "POST", body: new URLSearchParams({ purpose }) });
      const { options, message } = (await answer.json()) as { options?: never; message?: string };
      if (!options) {
        setProblem(message ?? m.passkeys_failed());
        return null;
      }
      const { startAuthentication, startRegistration } = await browserPart();
      const start = purpose === "add" ? startRegistration : startAuthentication;
      return JSON.stringify(await start({ optionsJSON: options }));
    } catch (error) {
      setProblem(wordsOf(error));
      return null;
    } finally {
      setBusy(false);
    }
  }
  return { hydrated, ready, busy, problem, ask };
}

function wordsOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  // The user refused, or the dialog timed out.
  if (name === "NotAllowedError" || name === "AbortError") return m.passkeys_cancelled();
  if (name === "InvalidStateError") return m.passkeys_taken();
  return m.passkeys_failed();
}
