import { useEffect, useRef, useState } from "react";
import type { StreamEvent } from "../talk.ts";

/** A question that is being answered. `failed`: the error in place of the answer. */
export type Pending = { text: string; note?: string; voice: boolean; answer: string; failed?: "unreachable" | "login" };
type Shown = Pick<Pending, "text" | "note" | "voice">;

/**
 * Sends questions by script: `send` posts the form to `path`, and the answer streams into `pending`. Leaving the page aborts it.
 * `onEnd` reloads the stored chat; then nothing is pending.
 */
export function useTalk({
  path,
  onEnd,
  onRefused,
  onFailed = () => undefined,
}: {
  path: string;
  onEnd: (end: { conversation: string; emergency: boolean }) => Promise<void>;
  /** The server refused it, with the reason. */
  onRefused: (message: string) => void;
  /** No answer arrived. */
  onFailed?: () => void;
}) {
  const [pending, setPending] = useState<Pending | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  async function send(body: FormData, shown: Shown): Promise<void> {
    const controller = new AbortController();
    asking.current = controller;
    setPending({ ...shown, answer: "" });
    const fail = (failed: NonNullable<Pending["failed"]>) => {
      setPending({ ...shown, answer: "", failed });
      onFailed();
    };
    try {
      const response = await fetch(path, { method: "POST", body, redirect: "manual", signal: controller.signal });
      // The session ended: the server redirects to the login.
      if (response.type === "opaqueredirect") return fail("login");
      if (response.status >= 500) return fail("unreachable");
      if (!response.ok) {
        const refusal = (await response.json().catch(() => null)) as { message?: unknown } | null;
        if (typeof refusal?.message !== "string") return fail("unreachable");
        setPending(null);
        return onRefused(refusal.message);
      }
      let conversation = "";
      for await (const event of eventsOf(response)) {
        if (event.type === "start") conversation = event.conversation;
        else if (event.type === "text") setPending((now) => now && { ...now, answer: now.answer + event.text });
        else {
          if (!event.answered) onFailed();
          await onEnd({ conversation, emergency: event.emergency });
          return setPending(null);
        }
      }
      fail("unreachable");
    } catch {
      if (!controller.signal.aborted) fail("unreachable");
    }
  }
  return { pending, send, busy: pending !== null && pending.failed === undefined };
}

/** Yields the JSON lines of a response as they arrive. */
async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as StreamEvent;
  }
}
