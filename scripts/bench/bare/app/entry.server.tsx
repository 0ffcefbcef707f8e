// The product's own way of rendering.
export { default, handleError, streamTimeout } from "#app/entry.server.tsx";
