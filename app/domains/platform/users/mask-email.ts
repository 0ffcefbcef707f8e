/** Returns "g•••@hospital.in", for screens and logs of readers who do not need the address. */
export const maskEmail = (email: string) => email.replace(/^(.).*(@.*)$/, "$1•••$2");
