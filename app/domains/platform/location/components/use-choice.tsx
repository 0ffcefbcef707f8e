import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import type { Tone } from "#app/ui/pieces.tsx";
import { findPosition, type PositionFault } from "../find-position.ts";
import type { Chosen } from "../location.schema.ts";

/** Spec 001 §4.6: how long the page shows the choice before it continues. */
const AFTER_SEARCH = seconds(0.8);
const AFTER_DETECTION = seconds(1);
/** Spec 001 §9: timeout of the whole detection. */
const DETECTION = seconds(30);

/** Spec 001 §8. After a denied position comes the IP lookup. */
const FAULTS: Record<PositionFault, () => string> = {
  unsupported: () => m.location_not_supported(),
  denied: () => m.location_denied(),
  unavailable: () => m.location_unavailable(),
  "timed-out": () => m.location_request_timed_out(),
  failed: () => m.location_failed(),
};

/**
 * Chooses a place with JavaScript (spec 001 §4.6): idle, detecting, a message, and after a success the next page.
 * @param at the resource route that receives the choice
 */
export function useChoice(at: string, from: string) {
  const navigate = useNavigate();
  const [note, setNote] = useState<{ tone: Tone; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  /** Aborts a running detection: the page was left, or the time is over. */
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const begin = () => {
    running.current?.abort();
    const work = new AbortController();
    running.current = work;
    setBusy(true);
    return work;
  };
  const show = (work: AbortController, tone: Tone, message: string) => {
    if (!work.signal.aborted) setNote({ tone, message });
  };
  const post = async (work: AbortController, choice: Record<string, string>, pause: number) => {
    try {
      const body = new URLSearchParams({ ...choice, from, stay: "1" });
      const response = await fetch(at, { method: "POST", body, signal: work.signal });
      if (!response.ok) return show(work, "bad", m.location_failed());
      const { message, to } = (await response.json()) as Chosen;
      show(work, to ? "ok" : "bad", message);
      if (to) await leave(work, to, pause);
    } catch {
      show(work, "bad", m.location_offline());
    }
  };
  const leave = (work: AbortController, to: string, pause: number) =>
    new Promise<void>((gone) => {
      const timer = setTimeout(() => {
        void navigate(to);
        gone();
      }, pause);
      work.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        gone();
      });
    });

  const choose = async (cityId: number) => {
    const work = begin();
    await post(work, { intent: "city", city: String(cityId) }, AFTER_SEARCH);
    if (running.current === work) setBusy(false);
  };
  const detect = async () => {
    if (busy) return;
    const work = begin();
    setNote(null);
    const late = setTimeout(() => {
      show(work, "bad", m.location_detection_timed_out());
      work.abort();
      setBusy(false);
    }, DETECTION);
    const position = await findPosition();
    if (!work.signal.aborted) {
      if (typeof position !== "string") {
        const { latitude, longitude, accuracy } = position;
        await post(
          work,
          { intent: "position", latitude: String(latitude), longitude: String(longitude), accuracy: String(accuracy) },
          AFTER_DETECTION,
        );
      } else {
        show(work, position === "denied" ? "warn" : "bad", FAULTS[position]());
        if (position === "denied") await post(work, { intent: "ip" }, AFTER_DETECTION);
      }
    }
    clearTimeout(late);
    if (running.current === work) setBusy(false);
  };
  return { note, busy, choose, detect };
}
