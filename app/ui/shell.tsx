/** Page frames. */
import { type ChangeEvent, createContext, type ReactNode, useContext, useState } from "react";
import { href, Link, useLocation, useMatches } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, IconButton, LinkButton } from "./button.tsx";
import { classes } from "./class-names.ts";
import { type PageHandle, SheetOf } from "./document.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { LANGUAGE_PATH } from "./languages.tsx";
import { Beat, Logo } from "./logo.tsx";
import { Waiting } from "./members/waiting.tsx";
import { NoNetworkDialog } from "./no-network.tsx";
import { Disc } from "./pieces.tsx";
import { StatusLine } from "./toast.tsx";
import { useFreshAfterBack } from "./use-fresh-after-back.ts";

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
  /** The login of visitors, in the top bar. */
  login?: string;
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
  useFreshAfterBack(frame.login === undefined);
  const fold = useFold();
  const bar = !useMatches().some((match) => (match.handle as PageHandle | undefined)?.bar === false);
  // Of two matching places the one with the longer URL is current.
  const fits = ({ to, exact, also = [] }: Place) =>
    Math.max(
      0,
      ...[to, ...also].filter((root) => (exact && root === to ? pathname === to : isIn(pathname, root))).map((root) => root.length),
    );
  const currentOf = (among: Place[]) => {
    const best = Math.max(1, ...among.map(fits));
    return (place: Place) => fits(place) === best;
  };
  const inSide = currentOf([...places, ...more]);
  const sideLinks = (shown: Place[]) => shown.map((place) => <SideLink key={place.to} {...place} current={inSide(place)} />);
  return (
    <FrameContext value={frame}>
      <div className="flex min-h-screen flex-1 flex-col desktop:pl-60 desktop:has-[#fold:checked]:pl-18 print:min-h-0 print:p-0">
        <nav
          className="fixed inset-y-0 left-0 z-6 hidden w-60 flex-col gap-1 overflow-auto border-r border-line bg-card px-3 py-4 has-[#fold:checked]:w-18 desktop:flex print:hidden"
          data-nav="side"
          aria-label={m.ui_main_nav()}
        >
          <Link to={frame.home} className="relative mb-3.5 flex min-h-target-min items-center overflow-hidden px-2">
            <Logo />
          </Link>
          {sideLinks(places)}
          {more.length > 0 && <div className="mt-2 grid gap-1 border-t border-line pt-2">{sideLinks(more)}</div>}
          {frame.account && (
            <SideLink
              to={frame.account.to}
              label={frame.account.label}
              icon="lock"
              current={isIn(pathname, frame.account.to)}
              className="mt-auto"
            />
          )}
          {frame.leave && <SideLink {...frame.leave} icon="log-out" className={frame.account ? undefined : "mt-auto"} />}
          <FoldSwitch {...fold} isAlone={!frame.account && !frame.leave} />
        </nav>
        <div className="flex flex-1 flex-col print:block">
          {children}
          {float}
        </div>
        {frame.sos && <NoNetworkDialog />}
        {bar && places.length > 1 && <BottomBar places={places} isCurrent={currentOf(places)} />}
      </div>
    </FrameContext>
  );
}

/** `isAlone`: no other link is at the end of the side bar. */
const FoldSwitch = ({ isAlone, ...fold }: ReturnType<typeof useFold> & { isAlone: boolean }) => (
  <label className={classes(IN_SIDE, "font-medium text-ink-soft focus-within:[outline:3px_solid_var(--color-ink)]", isAlone && "mt-auto")}>
    <input className="sr-only" type="checkbox" id="fold" {...fold} />
    <Icon name="panel-left-close" />
    <span className={WHEN_FOLDED}>{m.ui_fold_menu()}</span>
  </label>
);

const BottomBar = ({ places, isCurrent }: { places: Place[]; isCurrent: (place: Place) => boolean }) => (
  <nav
    className="fixed inset-x-0 bottom-0 z-6 flex flex-wrap overflow-x-clip border-t border-line bg-card pb-[env(safe-area-inset-bottom)] max-narrow:static short:static desktop:hidden print:hidden"
    data-nav="bar"
    aria-label={m.ui_bottom_nav()}
  >
    {places.map((place) => (
      <BarLink key={place.to} {...place} current={isCurrent(place)} />
    ))}
  </nav>
);

/** Returns whether the side bar is folded: by hand, otherwise while a panel is open beside a list (`?open=`), which needs the room. */
function useFold() {
  const panel = new URLSearchParams(useLocation().search).has("open");
  const [byHand, setByHand] = useState<boolean | null>(null);
  return { checked: byHand ?? panel, onChange: (event: ChangeEvent<HTMLInputElement>) => setByHand(event.target.checked) };
}

type PlaceLinkProps = Omit<Place, "also" | "exact"> & { current?: boolean; className?: string };

const IN_SIDE = "relative flex min-h-target cursor-pointer items-center gap-3 rounded-md px-3 no-underline hover:bg-well";
/** For screen readers only in the folded side bar. */
const WHEN_FOLDED = "folded:sr-only";

const SideLink = ({ to, label, icon, dialog, waiting, current, className }: PlaceLinkProps) => (
  <AnyLink
    to={to}
    className={classes(IN_SIDE, current ? "bg-brand-soft font-bold text-brand-strong" : "font-medium text-ink-soft", className)}
    aria-current={current ? "page" : undefined}
    data-dialog={dialog}
  >
    {current && <Beat short className="absolute right-0 h-3 w-6 folded:hidden" />}
    <Icon name={icon} />
    <span className={classes(WHEN_FOLDED, current && "pr-4")}>{label}</span>
    {waiting ? <Waiting count={waiting} place={current ? "currentInSide" : "side"} /> : null}
  </AnyLink>
);

const BarLink = ({ to, label, icon, dialog, waiting, current }: PlaceLinkProps) => (
  <AnyLink
    to={to}
    className={classes(
      "relative flex min-h-16 min-w-min flex-1 flex-col items-center gap-0.5 pt-3 pb-1 text-center text-[min(var(--text-xs),4vw)] leading-control no-underline",
      // The line of the bar is open where the pulse crosses it.
      current
        ? "font-bold text-brand-strong before:absolute before:-top-px before:h-px before:w-8 before:bg-card"
        : "font-medium text-ink-soft",
    )}
    aria-current={current ? "page" : undefined}
    data-dialog={dialog}
  >
    {current && <Beat short className="absolute -top-[0.6rem] h-4.5 w-9" />}
    <Icon name={icon} />
    <span>{label}</span>
    {waiting ? <Waiting count={waiting} place="bar" /> : null}
  </AnyLink>
);

/** As `to` of a `Back`: the first page of the frame, which visitors and patients have one each of. */
export const HOME = "";
export type Back = { to: string; label?: string };

/**
 * The top bar. `title` is the `<h1>` unless the page has its own (`titleAs="p"`); `start` replaces it (a city). SOS, chat, bell
 * and avatar come from the frame.
 */
function TopBar({
  title,
  titleAs: Title = "h1",
  back,
  start,
  desk,
  children,
}: {
  title?: ReactNode;
  titleAs?: "h1" | "p";
  back?: Back;
  start?: ReactNode;
  /** As wide as a list of staff. */
  desk?: boolean;
  children?: ReactNode;
}) {
  const frame = useContext(FrameContext);
  return (
    <header className="top sticky top-0 z-5 border-b border-line bg-page max-narrow:static short:static print:hidden">
      <div
        className={classes(
          "mx-auto flex min-h-14 max-w-6xl flex-wrap items-center gap-x-2 px-gutter py-1 max-phone:gap-x-1",
          desk && "desktop:max-w-desk",
        )}
      >
        {back && (
          <IconButton
            className="ml-[max(-0.75rem,-3.75vw)]"
            to={back.to === HOME && frame ? frame.home : back.to}
            icon="arrow-left"
            label={back.label ?? m.ui_back()}
          />
        )}
        {!back && frame && (
          <Link to={frame.home} className="-ml-1.5 p-1.5 max-[22rem]:hidden desktop:hidden">
            <Logo mark />
          </Link>
        )}
        {start}
        {title !== undefined && <Title className="min-w-min flex-1 text-lg font-bold max-phone:text-[min(1.125rem,8vw)]">{title}</Title>}
        <div
          className={classes(
            "ml-auto flex flex-wrap items-center gap-2 max-phone:gap-x-1 max-phone:gap-y-0",
            back && !frame?.login && "max-phone:[&_.sos~*]:hidden",
          )}
        >
          {children}
          {frame && ((!frame.bell && !start) || frame.leave) && <LanguageLink />}
          {frame?.sos && <SosLink />}
          {frame?.login && <LoginLink to={frame.login} />}
          {frame?.chat && <IconButton to={frame.chat} icon="message-circle" label={m.ui_ask_assistant()} />}
          {frame?.bell && <BellIcon bell={frame.bell} />}
          {!back && frame?.leave && <AccountIcon account={frame.account} leave={frame.leave} />}
          {frame?.avatar && <ProfileLink avatar={frame.avatar} />}
        </div>
      </div>
    </header>
  );
}

const BellIcon = ({ bell }: { bell: Bell }) => (
  <IconButton
    to={bell.to}
    icon="bell"
    dot={bell.unread > 0}
    label={bell.unread ? m.ui_notifications_new({ count: bell.unread }) : m.ui_notifications()}
  />
);

const ProfileLink = ({ avatar }: { avatar: NonNullable<Frame["avatar"]> }) => (
  <Link className="no-underline" to={avatar.to}>
    <Disc id={avatar.id} name={avatar.name} photo={avatar.photo} size="sm" /> <span className="sr-only">{m.ui_your_profile()}</span>
  </Link>
);

/** Links to the account page for users who have one, otherwise to logout. On phones: wide screens have both in the side bar. */
function AccountIcon({ account, leave }: Required<Pick<Frame, "leave">> & Pick<Frame, "account">) {
  return account ? (
    <IconButton className="desktop:hidden" icon="user-round" label={account.topLabel} to={account.to} />
  ) : (
    <IconButton className="desktop:hidden" icon="log-out" label={leave.label} to={leave.to} />
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

/** Link to the login that returns to this page. */
function LoginLink({ to }: { to: string }) {
  const { pathname, search } = useLocation();
  return (
    <LinkButton to={`${to}?redirectTo=${encodeURIComponent(pathname + search)}`} variant="second" size="sm" rel="nofollow">
      {m.accounts_login()}
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

/** The main part of a page below its top bar. `wide`: up to 72rem instead of 40, as a `desk` 90. `wizard`: full height with a `<Dock>` below. */
export function Page({
  wide,
  wizard,
  className,
  children,
  ...top
}: Omit<Parameters<typeof TopBar>[0], "desk"> & {
  wide?: boolean | "desk";
  wizard?: boolean;
  className?: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  const { actions, ...bar } = top;
  const frame = useContext(FrameContext);
  const ribbon = frame?.ribbon;
  return (
    <>
      <TopBar {...bar} desk={wide === "desk"}>
        {actions}
      </TopBar>
      {ribbon && <aside className="p-1 bg-well text-xs text-center">{ribbon}</aside>}
      <main
        id="main"
        className={classes(
          "page",
          wide && "max-w-6xl",
          wide === "desk" && "desktop:max-w-desk",
          frame && !wizard && "desktop:pb-16",
          wizard && "flex flex-col pb-0 [&_form]:flex [&_form]:flex-1 [&_form]:flex-col",
          className,
        )}
        tabIndex={-1}
      >
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
      <div>{children}</div>
    </div>
  );
}
