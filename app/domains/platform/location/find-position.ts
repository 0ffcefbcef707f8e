/** Position of the browser. */
import { minutes, seconds } from "#app/lib/durations.ts";

export type PositionFault = "unsupported" | "denied" | "unavailable" | "timed-out" | "failed";
export type Position = { latitude: number; longitude: number; accuracy: number };

/** Spec 001 §9: timeout 25 s, maximum age five minutes, high accuracy. */
const OPTIONS: PositionOptions = { enableHighAccuracy: true, timeout: seconds(25), maximumAge: minutes(5) };
/** The codes of GeolocationPositionError. */
const FAULTS: Record<number, PositionFault> = { 1: "denied", 2: "unavailable", 3: "timed-out" };

/** Requests the position from the browser, which asks the user. Never throws: returns the name of a failure. */
export function findPosition(): Promise<Position | PositionFault> {
  return new Promise((resolve) => {
    if (!("geolocation" in navigator)) return resolve("unsupported");
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      (error) => resolve(FAULTS[error.code] ?? "failed"),
      OPTIONS,
    );
  });
}
