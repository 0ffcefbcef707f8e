/** True for a host name of this machine: localhost, 127.0.0.0/8, ::1. */
export const isLoopback = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
