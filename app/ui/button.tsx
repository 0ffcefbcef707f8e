import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Link, useNavigation } from "react-router";
import { isOwnDocument } from "#app/lib/own-document.ts";
import { classes } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";

/** Use one filled button in a view. Filled red is for the emergency only (`danger` is outlined in red). */
export type ButtonLook = {
  variant?: "second" | "quiet" | "danger" | "sos";
  /** 44, 48 (default) or 56 px high. */
  size?: "sm" | "lg";
  /** Full width. */
  full?: boolean;
  pill?: boolean;
  /** Before the text. */
  icon?: IconName;
  /** After the text. */
  iconEnd?: IconName;
  className?: string;
  children?: ReactNode;
};

/** For what is neither a button nor a link, such as a `<summary>`. */
export const buttonClass = ({ variant, size, full, pill, className }: ButtonLook) =>
  classes("btn", variant, size, full && "full", pill && "pill", className);
const words = ({ icon, iconEnd, size, children }: ButtonLook) => (
  <>
    {icon && <Icon name={icon} small={size !== "lg"} />}
    {children}
    {iconEnd && <Icon name={iconEnd} small={size === "sm"} />}
  </>
);

type ButtonProps = ButtonLook & Omit<ComponentProps<"button">, "children" | "className">;

/** `<button>` with `type="button"` by default. */
export function Button({ variant, size, full, pill, icon, iconEnd, className, children, ...rest }: ButtonProps) {
  const look = { variant, size, full, pill, icon, iconEnd, className, children };
  return (
    <button type="button" {...rest} className={buttonClass(look)}>
      {words(look)}
    </button>
  );
}

/** Fixes the size of a dock's button, so that the longer `pendingText` moves nothing. */
function fixSize(button: HTMLButtonElement) {
  const { width, height } = button.getBoundingClientRect();
  Object.assign(button.style, { width: `${width}px`, height: `${height}px` });
}

/**
 * Submits its form. Shows `pendingText` and ignores presses until the response. Without JavaScript commands are idempotent
 * against a second press.
 */
export function SubmitButton({
  pendingText,
  pending: forced,
  children,
  onClick,
  ref,
  ...rest
}: Omit<ButtonProps, "ref"> & { pendingText?: string; pending?: boolean; ref?: RefObject<HTMLButtonElement | null> }) {
  const navigation = useNavigation();
  const [pressed, setPressed] = useState(false);
  const sent = useRef(false);
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const sending = navigation.state !== "idle" && navigation.formMethod === "POST";
  useEffect(() => {
    if (navigation.state !== "idle") return;
    setPressed(false);
    sent.current = false;
    if (button.current) Object.assign(button.current.style, { width: "", height: "" });
  }, [navigation.state, button]);
  const pending = forced ?? (pressed && sending);
  useEffect(() => {
    if (pressed && sending) sent.current = true;
  }, [pressed, sending]);
  return (
    <Button
      {...rest}
      ref={button}
      type="submit"
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={(event) => {
        if (pending || sent.current) return event.preventDefault();
        if (event.currentTarget.closest(".dock")) fixSize(event.currentTarget);
        setPressed(true);
        onClick?.(event);
      }}
    >
      {pending && pendingText ? pendingText : children}
    </Button>
  );
}

const onServer = typeof document === "undefined";
const isPlain = (to: string) => /^(#|[a-z][a-z0-9+.-]*:)/i.test(to);

/** A link that looks like a button. Fragments (`#id`) and other schemes (`tel:`, `upi:`, `https:`) are plain links. */
export function LinkButton({
  to,
  variant,
  size,
  full,
  pill,
  icon,
  iconEnd,
  className,
  children,
  ...rest
}: ButtonLook & Omit<AnyLinkProps, "children" | "className">) {
  const look = { variant, size, full, pill, icon, iconEnd, className, children };
  return (
    <AnyLink to={to} {...rest} className={buttonClass(look)}>
      {words(look)}
    </AnyLink>
  );
}

/** A round link that floats over the end of the page; `aboveBar`: above the bottom bar of a phone. */
export const FloatingLink = ({ aboveBar, className, ...look }: Parameters<typeof LinkButton>[0] & { aboveBar?: boolean }) => (
  <LinkButton
    pill
    {...look}
    className={classes(
      "fixed right-4 z-5 min-h-14 min-w-14 px-4 py-2 [box-shadow:var(--shadow-float)] max-narrow:static print:hidden",
      aboveBar ? "bottom-21 desktop:right-6 desktop:bottom-6" : "bottom-6",
      className,
    )}
  />
);

type AnyLinkProps = { to: string; reloadDocument?: boolean; replace?: boolean; preventScrollReset?: boolean } & Omit<
  ComponentProps<"a">,
  "href"
>;

/** `<a>` for fragments (for `:target`) and other schemes, `<Link>` for our pages. */
export function AnyLink({ to, reloadDocument = isOwnDocument(to), replace, preventScrollReset, ...rest }: AnyLinkProps) {
  // The same HTML as <Link>, without its hooks: a list has a hundred links (docs/performance.md).
  if (isPlain(to) || (onServer && to.startsWith("/"))) return <a href={to} {...rest} />;
  // The map of a page is asked for when its link is pressed: asking for all links of a list would cost more than the list.
  return (
    <Link to={to} discover="none" reloadDocument={reloadDocument} replace={replace} preventScrollReset={preventScrollReset} {...rest} />
  );
}

/** A 48 px square with an icon, and `label` for screen readers. A link with `to`, otherwise a button. */
export function IconButton({
  icon,
  label,
  to,
  on,
  dot,
  className,
  ...rest
}: { icon: IconName; label: string; to?: string; on?: boolean; dot?: boolean; className?: string } & Omit<
  ComponentProps<"button">,
  "className"
>) {
  const inside = (
    <>
      <Icon name={icon} />
      {dot && <i className="absolute top-[0.55rem] right-[0.55rem] w-3 h-3 rounded-full bg-haldi border-2 border-ink" />}
    </>
  );
  const look = classes("icon-btn", on && "on", className);
  if (to !== undefined) {
    return (
      <AnyLink to={to} className={look} aria-label={label}>
        {inside}
      </AnyLink>
    );
  }
  return (
    <button type="button" aria-pressed={on} {...rest} className={look} aria-label={label}>
      {inside}
    </button>
  );
}
