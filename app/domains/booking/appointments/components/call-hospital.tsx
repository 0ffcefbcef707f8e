import type { ReactNode } from "react";
import { href } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** A button that calls the hospital of a visit. A visit without a hospital's number leads to Nadi's support. */
export function CallHospital({
  appointment: { hospitalName, hospitalPhone },
  small = false,
  children,
}: {
  appointment: { hospitalName: string | null; hospitalPhone: string | null };
  small?: boolean;
  /** Hidden words that name which visit of a list is meant. */
  children?: ReactNode;
}) {
  return (
    <LinkButton
      to={hospitalPhone ? `tel:${hospitalPhone}` : href("/patient/contact-us")}
      icon="phone"
      variant="second"
      {...(small ? { size: "sm" as const } : {})}
    >
      {hospitalPhone ? m.appointments_call({ name: hospitalName ?? "" }) : m.appointments_call_support()}
      {children}
    </LinkButton>
  );
}
