/** URLs of a place on external maps. */
type At = { name: string; address: string; city: string; latitude: number | null; longitude: number | null };

const words = ({ name, address, city }: At) => encodeURIComponent([name, address, city].join(", "));

/** Returns the URL of directions from the current position. Map apps open it. */
export const directionsTo = (at: At): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${at.latitude === null || at.longitude === null ? words(at) : `${at.latitude}%2C${at.longitude}`}`;

/** Returns the URL on OpenStreetMap, with a marker if the coordinates are known. */
export const openStreetMap = (at: At): string =>
  at.latitude === null || at.longitude === null
    ? `https://www.openstreetmap.org/search?query=${words(at)}`
    : `https://www.openstreetmap.org/?mlat=${at.latitude}&mlon=${at.longitude}#map=17/${at.latitude}/${at.longitude}`;
