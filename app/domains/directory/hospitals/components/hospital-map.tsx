import { useEffect, useRef, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { Note } from "#app/ui/pieces.tsx";

/**
 * Google map of a place. Fetches nothing until it is visible. Needs a browser key and JavaScript; the page also links to a map.
 * Reserves its space.
 */
export function HospitalMap({ name, at, apiKey }: { name: string; at: { latitude: number; longitude: number }; apiKey: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const { latitude: lat, longitude: lng } = at;
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const show = async () => {
      const { importLibrary, setOptions } = await import("@googlemaps/js-api-loader");
      // Google checks the origin of the key: our pages send no referrer to other sites.
      setOptions({ key: apiKey, region: "IN", authReferrerPolicy: "origin" });
      const [{ Map: GoogleMap }, { Marker }] = await Promise.all([importLibrary("maps"), importLibrary("marker")]);
      const map = new GoogleMap(place, { center: { lat, lng }, zoom: 15, gestureHandling: "cooperative" });
      new Marker({ map, position: { lat, lng }, title: name });
    };
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      show().catch(() => setFailed(true));
    });
    watch.observe(place);
    return () => watch.disconnect();
  }, [apiKey, lat, lng, name]);
  if (failed) return <Note tone="warn">{m.directory_map_fails()}</Note>;
  return (
    <div
      ref={box}
      className="card mt"
      role="region"
      aria-label={m.directory_map_of({ name })}
      style={{ aspectRatio: "16 / 10", overflow: "hidden" }}
    />
  );
}
