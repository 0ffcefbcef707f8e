/** A server whose patients pay online at the test gateway. */
import { CALM, type Gateway } from "../../scripts/gateway/gateway.ts";

export const GATEWAY_KEYS = { keyId: "rzp_test_1", keySecret: "key-secret-of-the-test", webhookSecret: "webhook-secret-of-the-test" };

/** Returns the environment of a server for a gateway with these keys. */
export const gatewayEnv = ({ url }: Pick<Gateway, "url">) => ({
  PAYMENT_PROVIDER: "local",
  RAZORPAY_KEY_ID: GATEWAY_KEYS.keyId,
  RAZORPAY_KEY_SECRET: GATEWAY_KEYS.keySecret,
  RAZORPAY_WEBHOOK_SECRET: GATEWAY_KEYS.webhookSecret,
  RAZORPAY_BASE_URL: url,
});

/** Calms the gateway, which serves all tests of a worker, and returns its payments and refunds from now on. */
export function calmed(gateway: Gateway) {
  Object.assign(gateway.behaviour, CALM);
  const before = new Set(gateway.payments.keys());
  return {
    payments: () => [...gateway.payments.values()].filter(({ id }) => !before.has(id)),
    refunds: () => [...gateway.refunds.values()].filter(({ paymentId }) => !before.has(paymentId)),
  };
}
