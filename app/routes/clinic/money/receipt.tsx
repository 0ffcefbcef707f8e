import { href } from "react-router";
import { PrintReceipt, ReceiptPaper } from "#app/domains/money/payments/components/receipt-paper.tsx";
import { getReceipt } from "#app/domains/money/payments/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/receipt.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => ({
  receipt: await getReceipt(actorCtxOf(context), params.paymentId, { hospitalId: params.id }),
}));

/** The receipt of a payment, for members of the place. */
export default function PlaceReceipt({ loaderData: { receipt }, params }: Route.ComponentProps) {
  return (
    <Page
      title={m.money_receipt()}
      titleAs="p"
      back={{ to: `${href("/clinic/:id/takings", { id: params.id })}?day=${receipt.date}`, label: m.money_takings() }}
    >
      <ReceiptPaper receipt={receipt} />
      <div className="row flex-wrap print:hidden mt-4">
        <PrintReceipt />
        {(receipt.state !== "refunded" || receipt.notReturned > 0) && (
          <LinkButton to={href("/clinic/:id/payments/:paymentId/refund", params)} variant="second">
            {receipt.notReturned > 0 ? m.online_failed_link() : m.money_refund()}
          </LinkButton>
        )}
      </div>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_receipt() }) }];
