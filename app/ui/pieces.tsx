/** Small components of cards and pages. */
import type { ComponentProps, ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "./button.tsx";
import { classes } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A card. A `<GoLink>` inside makes the whole card a link, with buttons on top. */
export function Card({
  as: Tag = "article",
  kind,
  className,
  children,
  ...rest
}: { as?: "article" | "section" | "div" | "li" | "figure"; kind?: "doc" | "hos" } & ComponentProps<"article">) {
  return (
    <Tag {...(rest as object)} className={classes("card", kind, className)}>
      {children}
    </Tag>
  );
}

/** The link of a card: the target is the whole card. */
export function GoLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <AnyLink className="go" to={to}>
      {children}
    </AnyLink>
  );
}

export type Tone = "ok" | "warn" | "bad" | "info";

/** A status: icon, word and colour together. */
export function Badge({ tone, icon, className, children }: { tone?: Tone; icon?: IconName; className?: string; children: ReactNode }) {
  return (
    <span className={classes("badge", tone, className)}>
      {" "}
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

const noteLooks: Record<Tone, { icon: IconName; box: string; ink: string }> = {
  ok: { icon: "circle-check", box: "border-ok bg-ok-soft", ink: "text-ok" },
  warn: { icon: "triangle-alert", box: "border-warn bg-warn-soft", ink: "text-warn" },
  bad: { icon: "circle-alert", box: "border-sos bg-sos-soft", ink: "text-sos-strong" },
  info: { icon: "info", box: "border-info bg-info-soft", ink: "text-info" },
};

/** A message in the page. `role="status"` for a new success, `role="alert"` for a new error. */
export function Note({ tone = "info", icon, className, children, ...rest }: { tone?: Tone; icon?: IconName } & ComponentProps<"div">) {
  return (
    <div {...rest} className={classes("note flex gap-3 rounded-md border-l-4 px-4 py-3 text-ink", noteLooks[tone].box, className)}>
      <Icon name={icon ?? noteLooks[tone].icon} className={noteLooks[tone].ink} />
      <div className="grow">{children}</div>
    </div>
  );
}

/** A rating out of five; `children`: "212 reviews". */
export function Stars({ rating, children }: { rating: number; children?: ReactNode }) {
  const value = rating.toFixed(1);
  return (
    <p className="stars">
      <progress value={rating} max={5} aria-hidden="true" />
      <b>{value}</b> <span className="sr-only">{m.ui_stars_of()} </span> {children && <span className="text-ink-soft">{children}</span>}
    </p>
  );
}

/** Returns the initials of the first and last word, without titles. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/^\s*((dr|mr|mrs|ms|prof|shri|smt|sri)\.?\s+)+/i, "")
    .split(/\s+/)
    .map((word) => /\p{L}\p{M}*/u.exec(word)?.[0] ?? "")
    .filter(Boolean);
  return `${words[0] ?? ""}${words.length > 1 ? (words.at(-1) ?? "") : ""}`.toLocaleUpperCase("en-IN");
}

const tints = [
  "bg-brand-soft text-brand-strong",
  "bg-haldi-soft text-warn-strong",
  "bg-ok-soft text-ok-strong",
  "bg-info-soft text-info-strong",
] as const;
/** Returns one of four tints, always the same for an id. */
export function tintOf(id: string): string {
  let sum = 0;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) >>> 0;
  return tints[sum % tints.length] ?? tints[0];
}

/** When a picture is requested: that of whom the page is about before the scripts, others as they come near the screen. */
export const loadingOf = (isMain: boolean) => (isMain ? { fetchPriority: "high" as const } : { loading: "lazy" as const });

const discSizes = {
  sm: { px: 44, look: "size-11 text-[1rem]" },
  md: { px: 72, look: "size-18 text-[1.125rem]" },
  lg: { px: 80, look: "size-20 text-[1.5rem]" },
  xl: { px: 120, look: "size-30 text-[2.25rem] max-[24rem]:size-22" },
};
/** Avatar: the photo, or initials on a tint. Decorative: needs the name next to it. */
export function Disc({
  id,
  name,
  photo,
  size,
  className,
}: {
  id: string;
  name: string;
  photo?: string | null;
  size?: "sm" | "lg" | "xl";
  className?: string;
}) {
  const { px, look } = discSizes[size ?? "md"];
  return (
    <span
      className={classes("grid flex-none place-items-center overflow-hidden rounded-full font-bold", look, tintOf(id), className)}
      aria-hidden="true"
    >
      {photo ? (
        <img className="size-full object-cover" src={photo} alt="" width={px} height={px} {...loadingOf(size === "xl")} decoding="async" />
      ) : (
        initialsOf(name) || <Icon name="user-round" />
      )}
    </span>
  );
}

/** An icon on the leaf: places, categories, kinds of notifications. */
export const Leafy = ({ icon, large }: { icon: IconName; large?: boolean }) => (
  <span
    className={classes(
      "grid flex-none place-items-center rounded-leaf bg-brand-soft text-brand-strong",
      large ? "size-16 *:size-8 *:[stroke-width:1.5]" : "size-13",
    )}
  >
    <Icon name={icon} />
  </span>
);

/** What is wrong with a field, below it. */
export const ErrorText = ({ className, ...rest }: ComponentProps<"p">) => (
  <p className={classes("err mt-1.5 flex gap-1.5 text-sm font-bold text-sos-strong", className)} {...rest} />
);

/** A heading with a link at the end of its line. */
export const SectionHead = ({ as: Tag = "div", className, children }: { as?: "div" | "p"; className?: string; children: ReactNode }) => (
  <Tag className={classes("head", className)}>{children}</Tag>
);

/** Sections side by side on wide screens. A child with `wide:col-span-full` takes the whole line. */
export const Halves = ({ children }: { children: ReactNode }) => (
  <div className="wide:grid wide:grid-cols-2 wide:items-start wide:gap-x-8 wide:gap-y-6 wide:*:mt-0 wide:[&>div>:first-child]:mt-0">
    {children}
  </div>
);

/** The page of one doctor, hospital or appointment: its card stays beside the rest on wide screens. */
export const DetailColumns = ({ children }: { children: ReactNode }) => <div className="detail">{children}</div>;

/** A number beside a word. */
export const Count = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <b className={classes("count", className)}>{children}</b>
);

/** "(optional)" beside a label. */
export const Optional = () => <span className="font-normal text-ink-soft">{m.ui_optional()}</span>;

/** Names and values. Omits entries without a value. */
export function Facts({
  items,
  className,
}: {
  items: (readonly [name: ReactNode, value: ReactNode] | null | false)[];
  className?: string;
}) {
  return (
    <dl className={classes("facts", className)}>
      {items.map((item, i) => {
        if (!item || item[1] == null || item[1] === "") return null;
        // biome-ignore lint/suspicious/noArrayIndexKey: a fact is its place in the list
        return <Fact key={i} name={item[0]} value={item[1]} />;
      })}
    </dl>
  );
}
const Fact = ({ name, value }: { name: ReactNode; value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

/** Short facts in one line: each an element. */
export const MetaLine = ({ as: Tag = "p", className, children }: { as?: "p" | "span"; className?: string; children: ReactNode }) => (
  <Tag className={classes("meta", className)}>{children}</Tag>
);

/** A small icon with text ("1.2 km"), inside `<MetaLine>`. */
export function Meta({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <span>
      {" "}
      <Icon name={icon} small />
      {children}
    </span>
  );
}
