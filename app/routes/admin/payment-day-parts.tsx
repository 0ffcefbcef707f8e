/** What the pages of online payments by day share. */

import type { DayFigures } from "#app/domains/money/reconciliation/reconciliation.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";

export const DayTiles = ({ figures }: { figures: DayFigures }) => (
  <StatList className="mt-4">
    <StatTile
      label={m.recon_captured()}
      value={formatRupees(figures.captured)}
      hint={m.recon_captured_hint({ payments: String(figures.payments), unseatable: String(figures.unseatable) })}
    />
    <StatTile label={m.recon_refunded()} value={formatRupees(figures.refunded)} hint={m.recon_refunded_hint()} />
    <StatTile
      label={m.recon_col_orders()}
      value={figures.orders}
      hint={m.recon_orders_hint({ expired: String(figures.expired), failed: String(figures.failed) })}
    />
    <StatTile label={m.recon_col_mismatches()} value={figures.mismatches} hint={m.recon_mismatches_hint()} />
  </StatList>
);
