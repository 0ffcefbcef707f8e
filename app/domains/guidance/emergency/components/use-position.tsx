import { useRef, useState } from "react";
import { useSubmit } from "react-router";
import { SOS_PATH } from "./sos-run.tsx";

/** Timeout of an unanswered permission dialog. The browser's own timeout starts after the answer. */
const PATIENCE = 15_000;
/** Position options: an emergency does not wait for the best position. */
const POSITION: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 300_000 };

/**
 * With JavaScript one press requests the position and sends it. `asking`: while the browser determines it. `typed`: the place
 * typed meanwhile. `onSend` is called with what is sent.
 */
export function usePosition(onSend: (fields: Record<string, string>) => void) {
  const submit = useSubmit();
  const [asking, setAsking] = useState(false);
  const answered = useRef(false);
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef("");
  /** A running timer would end the next request early. */
  const close = () => {
    clearTimeout(patience.current);
    answered.current = true;
    setAsking(false);
  };
  const send = (fields: Record<string, string>) => {
    if (answered.current) return;
    close();
    onSend(fields);
    void submit(fields, { method: "post", action: SOS_PATH });
  };
  const ask = (event: { preventDefault(): void }) => {
    if (!("geolocation" in navigator)) return;
    event.preventDefault();
    if (asking) return;
    setAsking(true);
    typed.current = "";
    answered.current = false;
    patience.current = setTimeout(send, PATIENCE, { intent: "lost", reason: "no-location" });
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => send({ intent: "locate", latitude: String(coords.latitude), longitude: String(coords.longitude) }),
      ({ code }) => send({ intent: "lost", reason: code === 1 ? "denied" : "no-location" }),
      POSITION,
    );
  };
  return { asking, ask, giveUp: close, typed };
}
