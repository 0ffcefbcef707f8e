const policy = (microphone: "self" | "") => `geolocation=(self), microphone=(${microphone}), camera=()`;
/** Permissions-Policy of pages. Only the patients' chat allows the microphone: its routes export `headers = microphoneHeaders`. */
export const PERMISSIONS = policy("");
export const microphoneHeaders = () => ({ "Permissions-Policy": policy("self") });
