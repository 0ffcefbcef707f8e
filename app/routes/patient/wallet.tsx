import { href } from "react-router";
import { completeMission } from "#app/domains/patients/wallet/complete-mission.server.ts";
import { listPath, MAIN_MENU, WALLET, type WalletTab } from "#app/domains/patients/wallet/components/wallet-paths.ts";
import { ClaimForm, MissionDetail, OfferDetail, WalletHome, WalletList } from "#app/domains/patients/wallet/components/wallet-views.tsx";
import { getWallet } from "#app/domains/patients/wallet/queries.server.ts";
import { redeemOffer } from "#app/domains/patients/wallet/redeem-offer.server.ts";
import { WalletSchema } from "#app/domains/patients/wallet/wallet.schema.ts";
import { findMission, findOffer } from "#app/domains/patients/wallet/wallet.ts";
import { missionWords, offerWords } from "#app/domains/patients/wallet/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/wallet.ts";

/** Returns the view of a URL, one of four (spec 001 §4.7). @throws DomainError("not-found") for an unknown mission or offer */
function viewOf(query: URLSearchParams) {
  switch (query.get("view")) {
    case "list":
      return { view: "list", tab: query.get("tab") === "earn" ? ("earn" as const) : ("redeem" as const) } as const;
    case "mission_detail": {
      const mission = findMission(query.get("mission"));
      if (!mission) throw new DomainError("not-found");
      return { view: "mission_detail", key: mission.key } as const;
    }
    case "redeem_detail": {
      const offer = findOffer(query.get("offer"));
      if (!offer) throw new DomainError("not-found");
      return { view: "redeem_detail", offer } as const;
    }
    default:
      return { view: "home" } as const;
  }
}

export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => {
  // Spec 001 §4.7: Back from the home view shows a message.
  if (url.searchParams.get("back") === "main") throw redirectWithToast(WALLET, m.wallet_main_menu(), { type: "info" });
  const shown = viewOf(url.searchParams);
  return { shown, wallet: await getWallet(ctx), key: randomToken() };
});

export const action = submitOwn(WalletSchema, async (ctx, input) => {
  if (input.intent === "complete") {
    await completeMission(ctx, input.mission);
    return redirectWithToast(listPath("earn"), m.wallet_completed());
  }
  await redeemOffer(ctx, input);
  return redirectWithToast(listPath("redeem"), m.wallet_redeemed(), { stays: true });
});

export default function Wallet({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, wallet, key } = loaderData;
  const [form] = useNadiForm({ id: "wallet", lastResult: actionData?.result ?? null });
  const back = (tab: WalletTab) => ({ to: listPath(tab), label: tab === "redeem" ? m.wallet_redeem() : m.wallet_earn() });
  switch (shown.view) {
    case "home":
      return (
        <Page wide title={m.wallet_title()} back={{ to: MAIN_MENU }}>
          <LinkButton to={href("/patient/profile")} variant="quiet" size="sm" className="pl-0">
            {m.ui_place_profile()}
          </LinkButton>
          <ErrorSummary form={form} />
          <WalletHome wallet={wallet} />
        </Page>
      );
    case "list":
      return (
        <Page wide title={titleOf(shown)} back={{ to: WALLET, label: m.wallet_title() }}>
          <ErrorSummary form={form} />
          <WalletList wallet={wallet} tab={shown.tab} />
        </Page>
      );
    case "mission_detail": {
      const mission = wallet.missions.find((one) => one.key === shown.key)!;
      return (
        <Page title={m.wallet_mission()} titleAs="p" back={back("earn")}>
          <ErrorSummary form={form} />
          <MissionDetail mission={mission}>{!mission.completedOn && <ClaimForm mission={mission} big />}</MissionDetail>
        </Page>
      );
    }
    case "redeem_detail":
      return (
        <Page title={m.wallet_offer()} titleAs="p" back={back("redeem")}>
          <OfferDetail offer={shown.offer} balance={wallet.balance}>
            <Form form={form}>
              <input type="hidden" name="offer" value={shown.offer.key} />
              <input type="hidden" name="key" value={key} />
              <SubmitButton
                name="intent"
                value="redeem"
                full
                size="lg"
                disabled={wallet.balance < shown.offer.points}
                pendingText={m.wallet_redeeming()}
              >
                {m.wallet_redeem_now({ points: formatCount(shown.offer.points) })}
              </SubmitButton>
            </Form>
          </OfferDetail>
        </Page>
      );
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? titleOf(loaderData.shown) : m.wallet_title() }) },
];
function titleOf(shown: Route.ComponentProps["loaderData"]["shown"]): string {
  switch (shown.view) {
    case "home":
      return m.wallet_title();
    case "list":
      return shown.tab === "redeem" ? m.wallet_redeem() : m.wallet_earn();
    case "mission_detail":
      return missionWords(shown.key).title;
    case "redeem_detail":
      return offerWords(shown.offer.key).title;
  }
}
