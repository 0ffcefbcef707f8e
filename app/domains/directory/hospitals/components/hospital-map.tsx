import { useEffect, useRef, useState } from "react";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";
import { isMapRefused, watchMapRefusals } from "../map-refusals.ts";

/** Google's scripts may also never answer. */
const PATIENCE = seconds(20);

/**
 * Google map of a place. Fetches nothing until it is visible. Needs a browser key and JavaScript; the page also links to a map.
 * Reserves its space. A note replaces it when it does not load or Google refuses it.
 */
export function HospitalMap({ name, at, apiKey }: { name: string; at: { latitude: number; longitude: number }; apiKey: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const { latitude: lat, longitude: lng } = at;
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const fail = () => setFailed(true);
    if (isMapRefused()) return fail();
    const unwatch = watchMapRefusals(fail);
    let patience: ReturnType<typeof setTimeout> | undefined;
    const show = async () => {
      patience = setTimeout(fail, PATIENCE);
      const { importLibrary, setOptions } = await import("@googlemaps/js-api-loader");
      // Google checks the origin of the key: our pages send no referrer to other sites.
      setOptions({ key: apiKey, region: "IN", authReferrerPolicy: "origin" });
      const [{ Map: GoogleMap }, { Marker }] = await Promise.all([importLibrary("maps"), importLibrary("marker")]);
      clearTimeout(patience);
      const map = new GoogleMap(place, { center: { lat, lng }, zoom: 15, gestureHandling: "cooperative" });
      new Marker({ map, position: { lat, lng }, title: name });
    };
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      show().catch(fail);
    });
    watch.observe(place);
    return () => {
      watch.disconnect();
      clearTimeout(patience);
      unwatch();
    };
  }, [apiKey, lat, lng, name]);
  if (failed) return <Note tone="warn">{m.directory_map_fails()}</Note>;
  return (
    <div
      ref={box}
      className="card mt-2"
      role="region"
      aria-label={m.directory_map_of({ name })}
      style={{ aspectRatio: "16 / 10", overflow: "hidden" }}
    />
  );
}
