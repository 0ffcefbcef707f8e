import type { ComponentProps, ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Facts } from "#app/ui/pieces.tsx";
import { directionsTo } from "../places.ts";

type Hospital = { phone: string | null; pinCode: string | null; workingHours: string | null; isDemo: boolean };
type Props = {
  hospital: Hospital & { address: string } & Parameters<typeof directionsTo>[0];
  /** After address and hours. */
  facts: ComponentProps<typeof Facts>["items"];
  children?: ReactNode;
};

/** How to call a hospital and to get there. */
export function HospitalContact({ hospital, facts, children }: Props) {
  const { phone, address, pinCode } = hospital;
  return (
    <section className="card" aria-labelledby="contact">
      <h2 id="contact">{m.directory_contact()}</h2>
      <p className="row flex-wrap mt-2">
        {phone && (
          <LinkButton to={`tel:${phone}`} className="grow" icon="phone">
            {m.directory_call()}
          </LinkButton>
        )}
        <LinkButton to={directionsTo(hospital)} variant="second" className="grow" icon="map-pin" target="_blank" rel="noopener">
          {m.directory_directions()}
        </LinkButton>
      </p>
      <Facts
        className="mt-2"
        items={[
          [m.directory_address(), pinCode && !address.includes(pinCode) ? `${address} ${pinCode}` : address],
          [m.directory_hours(), hospital.workingHours],
          ...facts,
        ]}
      />
      {phone && hospital.isDemo && <p className="text-sm text-ink-soft">{m.doctors_demo_phone()}</p>}
      {children}
    </section>
  );
}
