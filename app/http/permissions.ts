const policy = (microphone: "self" | "") => `geolocation=(self), microphone=(${microphone}), camera=()`;
/** What a page may ask the browser for. Only the chat of patients hears: its routes export `headers = microphoneHeaders`. */
export const PERMISSIONS = policy("");
export const microphoneHeaders = () => ({ "Permissions-Policy": policy("self") });
