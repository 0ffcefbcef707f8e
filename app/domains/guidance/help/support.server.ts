import { env } from "#app/runtime/env.server.ts";

export type Support = { phone: string | null; email: string | null; address: string | null; demo: boolean };

/** Returns the configured support contact; null where none is configured. */
export function getSupport(): Support {
  const { phone, email, address, demo } = env().support;
  return { phone: phone ?? null, email: email ?? null, address: address ?? null, demo };
}
/** Returns the facts that answers of the help pages depend on. */
export const getFaqFacts = () => ({ paymentPage: env().payment.linkTemplate !== undefined || env().gateway !== undefined });
