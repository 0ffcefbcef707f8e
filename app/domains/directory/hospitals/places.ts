/** Addresses of a place on maps outside of ours. */
type At = { name: string; address: string; city: string; latitude: number | null; longitude: number | null };

const words = ({ name, address, city }: At) => encodeURIComponent([name, address, city].join(", "));

/** The way there, from wherever the phone is; any app of maps opens it. */
export const directionsTo = (at: At): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${at.latitude === null || at.longitude === null ? words(at) : `${at.latitude}%2C${at.longitude}`}`;

/** The place on OpenStreetMap, with a mark where its position is known. */
export const openStreetMap = (at: At): string =>
  at.latitude === null || at.longitude === null
    ? `https://www.openstreetmap.org/search?query=${words(at)}`
    : `https://www.openstreetmap.org/?mlat=${at.latitude}&mlon=${at.longitude}#map=17/${at.latitude}/${at.longitude}`;
