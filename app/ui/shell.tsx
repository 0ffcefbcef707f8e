/** Page frames. */
import { createContext, type ReactNode, useContext } from "react";
import { href, Link, useLocation, useMatches } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, IconButton, LinkButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { type PageHandle, SheetOf } from "./document.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { type Drawing, Illustration } from "./illustration.tsx";
import { LANGUAGE_PATH, Languages } from "./languages.tsx";
import { Beat, Logo } from "./logo.tsx";
import { NoNetworkDialog } from "./no-network.tsx";
import { Disc } from "./pieces.tsx";
import { StatusLine } from "./toast.tsx";

/**
 * A link of the navigation bars. It is the current one on its URL, below it (unless `exact`), and below each of `also`.
 * `dialog`: opens this dialog instead, with JavaScript. `waiting`: how many tasks wait there; none is shown for 0.
 */
export type Place = { waiting?: number; to: string; label: string; icon: IconName; also?: string[]; exact?: boolean; dialog?: string };

type Bell = { to: string; unread: number };
type Frame = {
  home: string;
  sos: boolean;
  bell?: Bell;
  chat?: string;
  /** One line under the top bar: the doctors and hospitals are invented. */
  ribbon?: string;
  avatar?: { to: string; id: string; name: string; photo?: string | null };
  /** Logout for users without a profile page: in the side bar, and in the top bar of a phone when there is no `account`. */
  leave?: { to: string; label: string };
  /**
   * The account page of users without a profile page: in the side bar as `label`, and in the top bar of a phone as `topLabel`.
   * Two icons do not fit there, so this page has a logout button of its own.
   */
  account?: { to: string; label: string; topLabel: string };
};
const FrameContext = createContext<Frame | null>(null);

const isIn = (path: string, root: string) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);

type ShellProps = Omit<Frame, "sos"> & {
  places: Place[];
  /** A second group, in the side bar only: the bottom bar has room for five. */
  more?: Place[];
  /** Floating at the bottom right of every page (Contact Support). */
  float?: ReactNode;
  children: ReactNode;
};

/**
 * Frame of patient pages: side bar on wide screens (folds without JavaScript), bottom bar on a phone, SOS in every top bar.
 * Use it in the layout route around `<Outlet/>`; each page has its `<Page>`. A page with a dock sets `handle = { bar: false }`.
 */
export const PatientShell = (props: ShellProps) => <Shell {...props} sos />;

/** Frame of staff pages, without SOS. */
export const StaffShell = (props: ShellProps) => (
  <>
    <SheetOf audience="staff" />
    <Shell {...props} sos={false} />
  </>
);

function Shell({ places, more = [], float, children, ...frame }: ShellProps & Frame) {
  const { pathname } = useLocation();
  const bar = !useMatches().some((match) => (match.handle as PageHandle | undefined)?.bar === false);
  // Of two matching places the one with the longer URL is current.
  const fits = ({ to, exact, also = [] }: Place) =>
    Math.max(
      0,
      ...[to, ...also].filter((root) => (exact && root === to ? pathname === to : isIn(pathname, root))).map((root) => root.length),
    );
  const linksOf = (shown: Place[], among: Place[]) => {
    const best = Math.max(1, ...among.map(fits));
    return shown.map((place) => {
      const current = fits(place) === best;
      return (
        <AnyLink key={place.to} to={place.to} aria-current={current ? "page" : undefined} data-dialog={place.dialog}>
          {current && <Beat short />}
          <Icon name={place.icon} />
          <span>{place.label}</span>
          {place.waiting ? <Waiting count={place.waiting} /> : null}
        </AnyLink>
      );
    });
  };
  const all = [...places, ...more];
  return (
    <FrameContext value={frame}>
      <div className="has-side">
        <nav className="side" aria-label={m.ui_main_nav()}>
          <Link to={frame.home} className="home">
            <Logo />
          </Link>
          {linksOf(places, all)}
          {more.length > 0 && <div className="grid gap-1 mt-2 pt-2 border-t border-t-line">{linksOf(more, all)}</div>}
          {frame.account && (
            <Link to={frame.account.to} className="end" aria-current={isIn(pathname, frame.account.to) ? "page" : undefined}>
              <Icon name="lock" />
              <span>{frame.account.label}</span>
            </Link>
          )}
          {frame.leave && (
            <Link to={frame.leave.to} className="end">
              <Icon name="log-out" />
              <span>{frame.leave.label}</span>
            </Link>
          )}
          <label className="end">
            <input className="sr-only" type="checkbox" id="fold" />
            <Icon name="panel-left-close" />
            <span>{m.ui_fold_menu()}</span>
          </label>
        </nav>
        <div className="app">
          {children}
          {float}
        </div>
        {frame.sos && <NoNetworkDialog />}
        {bar && places.length > 1 && (
          <nav className="bar" aria-label={m.ui_bottom_nav()}>
            {linksOf(places, places)}
          </nav>
        )}
      </div>
    </FrameContext>
  );
}

/** "3" to see, "3 waiting" to hear. */
const Waiting = ({ count }: { count: number }) => (
  <>
    {" "}
    <b className="count">
      {count > 99 ? "99+" : count} <span className="sr-only">{m.ui_waiting()}</span>
    </b>
  </>
);

type Back = { to: string; label?: string };

/**
 * The top bar. `title` is the `<h1>` unless the page has its own (`titleAs="p"`); `start` replaces it (a city). SOS, chat, bell
 * and avatar come from the frame.
 */
function TopBar({
  title,
  titleAs: Title = "h1",
  back,
  start,
  children,
}: {
  title?: ReactNode;
  titleAs?: "h1" | "p";
  back?: Back;
  start?: ReactNode;
  children?: ReactNode;
}) {
  const frame = useContext(FrameContext);
  const bell = frame?.bell;
  return (
    <header className="top">
      <div className="top-in">
        {back && <IconButton className="pull" to={back.to} icon="arrow-left" label={back.label ?? m.ui_back()} />}
        {!back && frame && (
          <Link to={frame.home} className="only-phone">
            <Logo mark />
          </Link>
        )}
        {start}
        {title !== undefined && <Title className="title">{title}</Title>}
        <div className="acts">
          {children}
          {frame && (!frame.bell || frame.leave) && <LanguageLink />}
          {frame?.sos && <SosLink />}
          {frame?.chat && <IconButton to={frame.chat} icon="message-circle" label={m.ui_ask_assistant()} />}
          {bell && (
            <IconButton
              to={bell.to}
              icon="bell"
              dot={bell.unread > 0}
              label={bell.unread ? m.ui_notifications_new({ count: bell.unread }) : m.ui_notifications()}
            />
          )}
          {!back && frame?.leave && <AccountIcon account={frame.account} leave={frame.leave} />}
          {frame?.avatar && (
            <Link className="no-underline" to={frame.avatar.to}>
              <Disc id={frame.avatar.id} name={frame.avatar.name} photo={frame.avatar.photo} size="sm" />{" "}
              <span className="sr-only">{m.ui_your_profile()}</span>
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}

/** Links to the account page for users who have one, otherwise to logout. On phones: wide screens have both in the side bar. */
function AccountIcon({ account, leave }: Required<Pick<Frame, "leave">> & Pick<Frame, "account">) {
  return account ? (
    <IconButton className="only-phone" icon="user-round" label={account.topLabel} to={account.to} />
  ) : (
    <IconButton className="only-phone" icon="log-out" label={leave.label} to={leave.to} />
  );
}

/** Link to the language switch for users without settings. Written in other scripts, for users who do not read English. */
function LanguageLink() {
  const { pathname, search } = useLocation();
  return (
    <LinkButton to={`${LANGUAGE_PATH}?from=${encodeURIComponent(pathname + search)}`} variant="quiet" size="sm">
      <span aria-hidden="true">అ/अ</span> <span className="sr-only">{m.ui_language()}</span>
    </LinkButton>
  );
}

/** Link to SOS in the top bar of every patient page. Opens a document, so that the service worker can answer for a network that hangs. Without scripts there is no worker: 108 is beside it. */
export function SosLink() {
  return (
    <>
      <noscript>
        <LinkButton to="tel:108" variant="danger" size="sm" pill>
          108
        </LinkButton>
      </noscript>
      <LinkButton to={href("/patient/emergency-contact")} reloadDocument variant="sos" size="sm" pill icon="siren">
        {m.ui_sos()}
        <span className="sr-only"> {m.ui_sos_more()}</span>
      </LinkButton>
    </>
  );
}

/** The main part of a page below its top bar. `wide`: up to 72rem instead of 40. `wizard`: full height with a `<Dock>` below. */
export function Page({
  wide,
  wizard,
  className,
  children,
  ...top
}: Parameters<typeof TopBar>[0] & { wide?: boolean; wizard?: boolean; className?: string; children: ReactNode; actions?: ReactNode }) {
  const { actions, ...bar } = top;
  const ribbon = useContext(FrameContext)?.ribbon;
  return (
    <>
      <TopBar {...bar}>{actions}</TopBar>
      {ribbon && <aside className="p-1 bg-well text-xs text-center">{ribbon}</aside>}
      <main id="main" className={classes("page", wide && "wide", wizard && "wizard", className)} tabIndex={-1}>
        <StatusLine />
        {children}
      </main>
    </>
  );
}

/** The price and the one action, at the bottom of the screen. */
export function Dock({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={classes("dock", className)}>
      <div className="dock-in">{children}</div>
    </div>
  );
}

/**
 * Frame of login and choice pages: the brand next to the content on wide screens. `lean`: no image on a phone. `float`: floating at
 * the bottom right.
 */
export function SplitPage({
  drawing,
  tagline,
  lean,
  back,
  float,
  languages = true,
  children,
}: {
  drawing: Drawing;
  tagline: string;
  lean?: boolean;
  back?: Back;
  float?: ReactNode;
  /** `false`: without the language switch. */
  languages?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes("split", lean && "lean")}>
      <header className="brandside">
        <Logo />
        <Illustration name={drawing} />
        <p className="tagline">{tagline}</p>
      </header>
      <div className="formside">
        {back && (
          <nav aria-label={m.ui_back()}>
            <LinkButton className="flush" to={back.to} variant="quiet" size="sm" icon="arrow-left">
              {back.label ?? m.ui_back()}
            </LinkButton>
          </nav>
        )}
        <main
          id="main"
          className="pt-5 min-[48rem]:m-auto min-[48rem]:py-8 min-[48rem]:px-0 min-[48rem]:max-w-120 min-[48rem]:w-full min-[48rem]:self-center"
          tabIndex={-1}
        >
          <StatusLine />
          {children}
          {languages && (
            <div className="section">
              <Languages />
            </div>
          )}
        </main>
        {float}
      </div>
    </div>
  );
}
