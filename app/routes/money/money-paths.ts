import { href } from "react-router";

/** Whose money a page shows: that of the hospital or clinic in its path, otherwise that of the doctor. */
export const scopeOf = ({ id }: { id?: string }): { hospitalId: string | null } => ({ hospitalId: id ?? null });

/** The pages of money, of a doctor or of a hospital or clinic. */
export function moneyPaths({ hospitalId: id }: { hospitalId: string | null }) {
  if (id === null)
    return {
      takings: href("/doctor/takings"),
      takingsCsv: href("/doctor/takings.csv"),
      months: href("/doctor/takings/months"),
      monthsCsv: href("/doctor/takings/months.csv"),
      refundPolicy: href("/doctor/refund-policy"),
      payoutAccount: href("/doctor/payout-account"),
      payoutChange: href("/doctor/payout-account/change"),
      settlements: href("/doctor/settlements"),
      settlementsCsv: href("/doctor/settlements.csv"),
      settlement: (settlementId: string) => href("/doctor/settlements/:settlementId", { settlementId }),
      settlementCsv: (settlementId: string) => href("/doctor/settlements/:settlementId/lines.csv", { settlementId }),
      record: (visitId: string) => href("/doctor/patient/:visitId/payment", { visitId }),
      receipt: (paymentId: string) => href("/doctor/payments/:paymentId", { paymentId }),
      refund: (paymentId: string) => href("/doctor/payments/:paymentId/refund", { paymentId }),
    };
  return {
    takings: href("/clinic/:id/takings", { id }),
    takingsCsv: href("/clinic/:id/takings.csv", { id }),
    months: href("/clinic/:id/takings/months", { id }),
    monthsCsv: href("/clinic/:id/takings/months.csv", { id }),
    refundPolicy: href("/clinic/:id/refund-policy", { id }),
    payoutAccount: href("/clinic/:id/payout-account", { id }),
    payoutChange: href("/clinic/:id/payout-account/change", { id }),
    settlements: href("/clinic/:id/settlements", { id }),
    settlementsCsv: href("/clinic/:id/settlements.csv", { id }),
    settlement: (settlementId: string) => href("/clinic/:id/settlements/:settlementId", { id, settlementId }),
    settlementCsv: (settlementId: string) => href("/clinic/:id/settlements/:settlementId/lines.csv", { id, settlementId }),
    record: (visitId: string) => href("/clinic/:id/visits/:visitId/payment", { id, visitId }),
    receipt: (paymentId: string) => href("/clinic/:id/payments/:paymentId", { id, paymentId }),
    refund: (paymentId: string) => href("/clinic/:id/payments/:paymentId/refund", { id, paymentId }),
  };
}
