import type { PaymentStatus } from "#app/domains/booking/payments/payment-status.ts";
import type { IconName } from "#app/ui/icon.tsx";
import { Badge, type Tone } from "#app/ui/pieces.tsx";
import { paymentStatusWord } from "../words.ts";

const LOOK: Record<PaymentStatus, { tone?: Tone; icon: IconName }> = {
  paid: { tone: "ok", icon: "circle-check" },
  "part-paid": { tone: "warn", icon: "clock" },
  confirming: { tone: "info", icon: "hourglass" },
  "not-paid": { tone: "warn", icon: "clock" },
  "not-recorded": { icon: "clock" },
  refunded: { icon: "refresh-cw" },
  "refund-due": { tone: "bad", icon: "circle-alert" },
  "refund-failed": { tone: "bad", icon: "circle-alert" },
  "not-refundable": { icon: "circle-check" },
  "nothing-due": { icon: "check" },
};

/** The state of an appointment's payment. */
export const PaymentBadge = ({ status }: { status: PaymentStatus }) => <Badge {...LOOK[status]}>{paymentStatusWord(status)}</Badge>;
