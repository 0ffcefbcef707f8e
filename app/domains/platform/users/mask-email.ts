/** "g•••@hospital.in": for screens and logs of people who need not know it. */
export const maskEmail = (email: string) => email.replace(/^(.).*(@.*)$/, "$1•••$2");
