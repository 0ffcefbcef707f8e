import { formatInstant } from "#app/lib/dates.ts";
import type { PayoutState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge, Facts, Note, type Tone } from "#app/ui/pieces.tsx";
import type { PayoutAccount } from "../payouts.ts";
import { payoutReasonWord, payoutStateWord } from "../words.ts";

const TONES: Record<PayoutState, Tone> = { requested: "warn", checking: "warn", active: "ok", refused: "bad" };

/**
 * The payout account of a doctor or a place. `change`: the page that sets it; null when nothing can be set. `source`: where its bank details come from.
 * `isOld`: the verified bank details have changed since. `bankPage`: where missing bank details are added.
 */
export function PayoutView({
  account,
  change,
  source,
  isOld = false,
  bankPage,
}: {
  account: PayoutAccount | null;
  change: string | null;
  source: string;
  isOld?: boolean;
  bankPage?: string | undefined;
}) {
  return (
    <>
      <p>{m.payout_text()}</p>
      {account?.state !== "active" && <p className="text-sm text-ink-soft mt-2">{m.payout_not_yet()}</p>}
      {account && <AccountCard account={account} />}
      {isOld && (
        <Note tone="warn" className="mt-4">
          {m.payout_old()}
        </Note>
      )}
      <p className="text-ink-soft mt-4 mb-3">{source}</p>
      {bankPage && (
        <LinkButton to={bankPage} full icon="pencil">
          {m.profile_edit()}
        </LinkButton>
      )}
      {change && (
        <LinkButton to={change} full {...(account && account.state !== "refused" && !isOld ? { variant: "second" } : {})}>
          {account ? m.payout_change() : m.payout_add()}
        </LinkButton>
      )}
      {change && <p className="text-sm text-ink-soft mt-2">{m.payout_proof()}</p>}
    </>
  );
}

function AccountCard({ account }: { account: PayoutAccount }) {
  return (
    <section className="card mt-7" aria-labelledby="h-account">
      <div className="row flex-wrap justify-between">
        <h2 id="h-account" className="num">
          {m.payout_account_ends({ number: account.accountLast4 })}
        </h2>
        <Badge tone={TONES[account.state]}>{payoutStateWord(account.state)}</Badge>
      </div>
      <Facts
        className="mt-2"
        items={[
          [m.profile_ifsc(), account.ifscCode],
          [m.payout_requested(), formatInstant(account.requestedAt)],
          [m.payout_since(), formatInstant(account.stateAt)],
        ]}
      />
      {account.state === "active" && (
        <Note tone="ok" className="mt-2">
          {m.payout_active_text()}
        </Note>
      )}
      {(account.state === "requested" || account.state === "checking") && (
        <Note icon="hourglass" className="mt-2">
          {account.state === "requested" ? m.payout_requested_text() : m.payout_checking_text()}
        </Note>
      )}
      {account.state === "refused" && (
        <Note tone="bad" className="mt-2">
          {payoutReasonWord(account.reason)}
        </Note>
      )}
    </section>
  );
}
