// Renders as the product does.
export { default, handleError, streamTimeout } from "#app/entry.server.tsx";
