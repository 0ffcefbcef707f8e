import { href } from "react-router";
import { type PaymentReturn, receiveReturn } from "#app/domains/money/online/receive-return.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { throwRefusal } from "#app/http/refusals.server.ts";
import { readFields } from "#app/http/submit-form.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/payment-return.ts";

// Posted by the page of the provider, which is another origin and sends no session cookie.
export const handle = { session: false, cookies: false, signed: true } satisfies RouteRules;

const back = async (context: Route.ActionArgs["context"], input: PaymentReturn) => {
  const id = await receiveReturn(ctxOf(context), input).catch(throwRefusal);
  return redirectTo(href("/patient/appointments/payment/:id", { id }));
};

/** A patient who gave up at the provider. */
export const loader = ({ context, params }: Route.LoaderArgs) => back(context, { orderId: params.orderId, result: null });

/** A patient who comes back from the provider, with the signed result or without. */
export async function action({ request, context, params }: Route.ActionArgs) {
  // The provider adds names of its own, like error[code].
  const fields = await readFields(request).catch(throwRefusal);
  const text = (name: string) => String(fields.get(name) ?? "");
  const signature = text("razorpay_signature");
  const isSigned = signature !== "" || text("razorpay_payment_id") !== "";
  return back(context, {
    orderId: params.orderId,
    result: isSigned ? { orderId: text("razorpay_order_id"), paymentId: text("razorpay_payment_id"), signature } : null,
  });
}
