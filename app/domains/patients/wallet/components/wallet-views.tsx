import type { ReactNode } from "react";
import { href } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { DeepCard } from "#app/ui/members/deep-card.tsx";
import { Badge, Card, GoLink, Halves, Note, SectionHead } from "#app/ui/pieces.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { HOME_MISSIONS, HOME_OFFERS, type MissionKey, nextOffer, OFFERS, type Offer, type OfferKey } from "../wallet.ts";
import { missionWords, offerWords, pointsWord, shortWord, signedPoints } from "../words.ts";
import drawings from "./offers.svg?url&no-inline";
import { listPath, missionPath, offerPath, type WalletTab } from "./wallet-paths.ts";

/** A mission with the patient's progress. */
export type MissionView = { key: MissionKey; points: number; total: number; current: number; completedOn: string | null };
export type WalletView = {
  name: string | null;
  phone: string | null;
  balance: number;
  missions: MissionView[];
  entries: { id: number; kind: string; about: string; points: number; date: string }[];
  more: boolean;
  codes: { id: string; code: string; offer: string; doctor: string | null; visit: string | null }[];
};

const LINE = "flex min-h-target items-center gap-4 border-b border-line py-2 wrap-anywhere";

/** The home view: balance, four offers, two missions, and the ledger. */
export function WalletHome({ wallet }: { wallet: WalletView }) {
  const { balance, missions, codes } = wallet;
  return (
    <Halves>
      <BalanceCard wallet={wallet} />
      {codes.length > 0 && <Codes codes={codes} />}
      <section className="mt-7" aria-labelledby="h-redeem">
        <SectionHead>
          <h2 id="h-redeem">{m.wallet_redeem()}</h2>
          <LinkButton to={listPath("redeem")} variant="quiet" size="sm">
            {m.wallet_see_offers()}
          </LinkButton>
        </SectionHead>
        <Offers level="h3" offers={OFFERS.slice(0, HOME_OFFERS)} balance={balance} />
      </section>
      <section className="mt-7" aria-labelledby="h-earn">
        <SectionHead>
          <h2 id="h-earn">{m.wallet_earn()}</h2>
          <LinkButton to={listPath("earn")} variant="quiet" size="sm">
            {m.wallet_see_missions()}
          </LinkButton>
        </SectionHead>
        <Missions level="h3" missions={missions.slice(0, HOME_MISSIONS)} />
      </section>
      <History wallet={wallet} />
      <Terms terms={[m.wallet_terms_balance(), m.wallet_terms_doctor(), m.wallet_terms_no_money()]} />
    </Halves>
  );
}

function BalanceCard({ wallet: { name, phone, balance, codes } }: { wallet: WalletView }) {
  const next = nextOffer(balance);
  return (
    <DeepCard className={codes.length ? undefined : "wide:col-span-full"} aria-labelledby="h-balance">
      <div className="row flex-wrap">
        <div className="grow">
          <p className="text-sm text-ink-soft">{name ?? m.patients_add_name()}</p>
          {phone && <p className="text-sm text-ink-soft num">{formatPhone(phone)}</p>}
          <h2 id="h-balance" className="text-sm text-ink-soft mt-2">
            {m.wallet_balance()}
          </h2>
          <p className="text-[2rem] font-bold leading-[var(--line,1.25)] whitespace-normal num">{pointsWord(balance)}</p>
        </div>
        {next && <Ring current={balance} total={next.points} label={ofPoints(balance, next.points)} />}
      </div>
      {next && (
        <p className="text-sm text-ink-soft">
          {m.wallet_next_offer({
            count: next.points - balance,
            points: formatCount(next.points - balance),
            offer: offerWords(next.key).title,
          })}
        </p>
      )}
    </DeepCard>
  );
}

const Codes = ({ codes }: Pick<WalletView, "codes">) => (
  <section className="mt-7" aria-labelledby="h-codes">
    <h2 id="h-codes">{m.wallet_codes()}</h2>
    <ul className="mt-2">
      {codes.map((code) => (
        <li key={code.id} className={LINE}>
          <span className="grow">
            <b className="num">{code.code}</b>{" "}
            <span className="text-sm text-ink-soft block">{offerWords(code.offer as OfferKey).title}</span>{" "}
            <span className="text-sm text-ink-soft block">
              {code.visit ? m.wallet_code_used({ doctor: code.doctor ?? "", date: formatDate(code.visit) }) : m.wallet_code_ready()}
            </span>
          </span>
        </li>
      ))}
    </ul>
  </section>
);

const History = ({ wallet: { entries, more } }: { wallet: WalletView }) => (
  <section className="mt-7" aria-labelledby="h-history">
    <h2 id="h-history">{m.wallet_history()}</h2>
    {entries.length === 0 ? (
      <p className="text-ink-soft">{m.wallet_history_none()}</p>
    ) : (
      <ul className="mt-2">
        {entries.map((entry) => (
          <li key={entry.id} className={LINE}>
            <span className="grow">
              {entryWord(entry)}
              <span className="text-sm text-ink-soft block">{formatDate(entry.date)}</span>
            </span>{" "}
            <b className="num">{signedPoints(entry.points)}</b>
          </li>
        ))}
      </ul>
    )}
    {more && <p className="text-sm text-ink-soft mt-2">{m.wallet_history_older()}</p>}
  </section>
);

const ofPoints = (current: number, total: number) => m.wallet_of_points({ current: formatCount(current), total: formatCount(total) });

/** How much is done, as a ring with the number inside, or a tick if it is `done`. `label`: for screen readers. */
function Ring({ current, total, text, done, label }: { current: number; total: number; text?: string; done?: boolean; label: string }) {
  const percent = Math.floor((Math.min(current, total) / total) * 100);
  return (
    // The radius of the second circle makes its length 100.
    <svg
      className="size-16 flex-none fill-none stroke-well stroke-4 in-data-deep:stroke-[rgb(255_255_255/0.25)]"
      viewBox="0 0 36 36"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label={label}
    >
      <circle cx="18" cy="18" r="16" />
      {percent > 0 && (
        <circle
          className="origin-center -rotate-90 stroke-brand in-data-deep:stroke-haldi"
          cx="18"
          cy="18"
          r="15.9155"
          strokeDasharray={`${percent} 100`}
        />
      )}
      {done ? (
        <path className="stroke-brand-strong stroke-[2.5]" d="m12 18.5 4 4 8-9" />
      ) : (
        <text className="fill-current stroke-none text-[0.5625rem] font-bold" textAnchor="middle" dominantBaseline="central" x="18" y="18">
          {text ?? `${percent}%`}
        </text>
      )}
    </svg>
  );
}

function entryWord({ kind, about }: { kind: string; about: string }): string {
  if (kind === "mission") return missionWords(about as MissionKey).title;
  if (kind === "reversal") return m.wallet_entry_reversal({ mission: missionWords(about as MissionKey).title });
  if (kind === "offer") return offerWords(about as OfferKey).title;
  return m.wallet_entry_demo();
}

/** All offers or all missions. */
export function WalletList({ wallet, tab }: { wallet: WalletView; tab: WalletTab }) {
  return (
    <>
      <Tabs
        label={m.wallet_tabs()}
        tabs={[
          { to: listPath("redeem"), label: m.wallet_redeem(), current: tab === "redeem" },
          { to: listPath("earn"), label: m.wallet_earn(), current: tab === "earn" },
        ]}
      />
      <Balance balance={wallet.balance} />
      {tab === "redeem" ? (
        <Offers level="h2" offers={OFFERS} balance={wallet.balance} />
      ) : (
        <Missions level="h2" missions={wallet.missions} />
      )}
      <Terms
        terms={
          tab === "redeem"
            ? [m.wallet_terms_next(), m.wallet_terms_one(), m.wallet_terms_returned(), m.wallet_terms_doctor()]
            : [m.wallet_terms_completed(), m.wallet_terms_once()]
        }
      />
    </>
  );
}

const Balance = ({ balance }: { balance: number }) => (
  <p className="row flex-wrap mt-7 mb-3">
    <span className="text-ink-soft">{m.wallet_balance()}</span> <b className="num">{pointsWord(balance)}</b>
  </p>
);

/** `level`: of the cards' headings. */
function Offers({ offers, balance, level: Heading }: { offers: readonly Offer[]; balance: number; level: "h2" | "h3" }) {
  return (
    <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
      {offers.map((offer) => {
        const { title, text } = offerWords(offer.key);
        return (
          <Card as="li" key={offer.key} className={balance < offer.points ? "bg-well [&_:is(h2,h3,b)]:text-ink-soft" : undefined}>
            <div className="row items-start">
              <Drawing of={offer.key} grey={balance < offer.points} />
              <div className="grow space-y-1">
                <Heading>
                  <GoLink to={offerPath(offer.key)}>{title}</GoLink>
                </Heading>
                <p className="text-sm text-ink-soft">{text}</p>
                <p className="row flex-wrap">
                  <b className="num">{pointsWord(offer.points)}</b>{" "}
                  {balance < offer.points && <span className="text-sm text-ink-soft">{shortWord(offer.points - balance)}</span>}
                </p>
              </div>
            </div>
          </Card>
        );
      })}
    </ul>
  );
}

/** One file for all drawings, outside the first view. The text next to it names the offer. */
const Drawing = ({ of, grey }: { of: OfferKey; grey?: boolean }) => (
  <img
    className={classes("flex-none", grey && "opacity-60 grayscale")}
    src={`${drawings}#${of}`}
    alt=""
    width="64"
    height="64"
    loading="lazy"
  />
);

function Missions({ missions, level: Heading }: { missions: MissionView[]; level: "h2" | "h3" }) {
  return (
    <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
      {missions.map((mission) => {
        const { title, text } = missionWords(mission.key);
        return (
          <Card as="li" key={mission.key}>
            <div className="row items-start">
              <MissionRing mission={mission} />
              <div className="grow space-y-1">
                <Heading>
                  <GoLink to={missionPath(mission.key)}>{title}</GoLink>
                </Heading>
                <p className="text-sm text-ink-soft">{text}</p>
                <p className="row flex-wrap">
                  <b className="num">{signedPoints(mission.points)}</b>
                  {mission.completedOn && <Badge icon="check">{m.wallet_done_short()}</Badge>}
                </p>
                {isReady(mission) && <ClaimForm mission={mission} />}
              </div>
            </div>
          </Card>
        );
      })}
    </ul>
  );
}

const isReady = ({ completedOn, current, total }: MissionView) => !completedOn && current >= total;
const MissionRing = ({ mission }: { mission: MissionView }) => (
  <Ring
    current={mission.current}
    total={mission.total}
    text={`${mission.current}/${mission.total}`}
    done={mission.completedOn !== null}
    label={progressWord(mission)}
  />
);

/** Completes a mission that is done: posts `intent=complete`. `big`: full width. */
export function ClaimForm({ mission, big }: { mission: MissionView; big?: boolean }) {
  const [form] = useNadiForm({ id: `claim-${mission.key}` });
  return (
    <Form form={form} className="mt-2">
      <input type="hidden" name="mission" value={mission.key} />
      <SubmitButton
        name="intent"
        value="complete"
        {...(big ? { full: true, size: "lg" as const } : { size: "sm" as const })}
        disabled={!isReady(mission)}
        pendingText={m.wallet_completing()}
      >
        {m.wallet_claim({ points: formatCount(mission.points) })}
      </SubmitButton>
    </Form>
  );
}
const progressWord = ({ current, total }: MissionView) => m.wallet_progress({ current, total });

/** A mission: instructions, progress and terms. `children`: the form that completes it. */
export function MissionDetail({ mission, children }: { mission: MissionView; children: ReactNode }) {
  const { title, text, terms } = missionWords(mission.key);
  const open = !mission.completedOn && mission.current < mission.total;
  return (
    <>
      <section className="card space-y-4">
        <div className="row">
          <MissionRing mission={mission} />
          <p className="text-sm text-ink-soft num" aria-hidden="true">
            {progressWord(mission)}
          </p>
        </div>
        <div className="space-y-1">
          <h1>{title}</h1>
          <p className="text-ink-soft">{text}</p>
          <p className="text-lg num">
            <b>{m.wallet_points({ count: mission.points, points: signedPoints(mission.points) })}</b>
          </p>
        </div>
        {mission.completedOn && <Note tone="ok">{m.wallet_done({ date: formatDate(mission.completedOn) })}</Note>}
        {open &&
          (mission.key === "profile" ? (
            <LinkButton to={href("/patient/profile")} variant="second" full>
              {m.wallet_how_profile()}
            </LinkButton>
          ) : (
            <LinkButton to={href("/doctorspages/Cards-data")} variant="second" full>
              {m.wallet_how_visit()}
            </LinkButton>
          ))}
        {children}
      </section>
      <OpenTerms terms={terms} />
    </>
  );
}

/** An offer: worth, price and terms. `children`: the form that redeems it, shown with enough points. */
export function OfferDetail({ offer, balance, children }: { offer: Offer; balance: number; children: ReactNode }) {
  const { title, text, terms } = offerWords(offer.key);
  return (
    <>
      <section className="card space-y-4">
        <Drawing of={offer.key} />
        <div className="space-y-1">
          <h1>{title}</h1>
          <p className="text-ink-soft">{text}</p>
          <p className="text-lg num">
            <b>{m.wallet_price({ points: formatCount(offer.points) })}</b>
          </p>
        </div>
        <Balance balance={balance} />
        {balance < offer.points && (
          <Note tone="warn">
            <p>{m.wallet_not_enough()}</p>
            <p>{m.wallet_missing({ count: offer.points - balance, points: formatCount(offer.points - balance) })}</p>
          </Note>
        )}
        {children}
      </section>
      <OpenTerms terms={[...terms, m.wallet_terms_doctor()]} />
    </>
  );
}

/** Each view has its terms and conditions (spec 001 §2.20): folded under a list. */
const Terms = ({ terms }: { terms: string[] }) => (
  <details className="mt-7">
    <summary>{m.wallet_terms()}</summary>
    <TermList terms={terms} />
  </details>
);

/** Shows the terms of one offer or mission below its card. */
const OpenTerms = ({ terms }: { terms: string[] }) => (
  <section className="mt-7" aria-labelledby="h-terms">
    <h2 id="h-terms" className="mb-3">
      {m.wallet_terms()}
    </h2>
    <TermList terms={terms} />
  </section>
);

const TermList = ({ terms }: { terms: string[] }) => (
  <ul className="list-disc space-y-1 pl-5 text-ink-soft">
    {terms.map((term) => (
      <li key={term}>{term}</li>
    ))}
  </ul>
);
