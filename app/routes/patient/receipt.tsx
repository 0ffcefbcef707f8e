import { href } from "react-router";
import { PrintReceipt, ReceiptPaper } from "#app/domains/money/payments/components/receipt-paper.tsx";
import { getReceipt } from "#app/domains/money/payments/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/receipt.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => ({
  receipt: await getReceipt(ctx, params.id, "patient"),
}));

/** The receipt of a payment, for the patient. The dock is not printed. */
export default function PatientReceipt({ loaderData: { receipt } }: Route.ComponentProps) {
  return (
    <Page title={m.money_receipt()} titleAs="p" back={{ to: href("/patient/payments"), label: m.money_payments() }}>
      <ReceiptPaper receipt={receipt} visit={href("/patient/appointments/:id", { id: receipt.appointmentId })} />
      <Dock className="mt-4">
        <PrintReceipt />
      </Dock>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_receipt() }) }];
