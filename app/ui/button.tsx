import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigation } from "react-router";
import { classes } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";

/** One filled button a view; filled red is the emergency and nothing else (`danger` is a red outline). */
export type ButtonLook = {
  variant?: "second" | "quiet" | "danger" | "sos";
  /** 44, 48 (default) or 56 px high. */
  size?: "sm" | "lg";
  /** As wide as its place. */
  full?: boolean;
  pill?: boolean;
  /** Before the words. */
  icon?: IconName;
  /** After the words. */
  iconEnd?: IconName;
  className?: string;
  children?: ReactNode;
};

const buttonClass = ({ variant, size, full, pill, className }: ButtonLook) =>
  classes("btn", variant, size, full && "full", pill && "pill", className);
const words = ({ icon, iconEnd, size, children }: ButtonLook) => (
  <>
    {icon && <Icon name={icon} small={size !== "lg"} />}
    {children}
    {iconEnd && <Icon name={iconEnd} small={size === "sm"} />}
  </>
);

type ButtonProps = ButtonLook & Omit<ComponentProps<"button">, "children" | "className">;

/** `<button>`; `type` is "button" unless said otherwise. */
export function Button({ variant, size, full, pill, icon, iconEnd, className, children, ...rest }: ButtonProps) {
  const look = { variant, size, full, pill, icon, iconEnd, className, children };
  return (
    <button type="button" {...rest} className={buttonClass(look)}>
      {words(look)}
    </button>
  );
}

/**
 * The button that sends its form. While the answer is on its way it says so (`pendingText`) and a second press does
 * nothing; without JavaScript the command's own idempotency stops the second press.
 */
export function SubmitButton({
  pendingText,
  pending: forced,
  children,
  onClick,
  ...rest
}: ButtonProps & { pendingText?: string; pending?: boolean }) {
  const navigation = useNavigation();
  const [pressed, setPressed] = useState(false);
  const sent = useRef(false);
  const sending = navigation.state !== "idle" && navigation.formMethod === "POST";
  useEffect(() => {
    if (navigation.state !== "idle") return;
    setPressed(false);
    sent.current = false;
  }, [navigation.state]);
  const pending = forced ?? (pressed && sending);
  useEffect(() => {
    if (pressed && sending) sent.current = true;
  }, [pressed, sending]);
  return (
    <Button
      {...rest}
      type="submit"
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={(event) => {
        if (pending || sent.current) return event.preventDefault();
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

/** A link that looks like a button. Fragments (`#id`) and other schemes (`tel:`, `upi:`, `https:`) stay plain links. */
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

type AnyLinkProps = { to: string; reloadDocument?: boolean; replace?: boolean; preventScrollReset?: boolean } & Omit<
  ComponentProps<"a">,
  "href"
>;

/** `<a>` for fragments and other schemes (a fragment must reach the browser, or `:target` stays dark), `<Link>` for our pages. */
export function AnyLink({ to, reloadDocument, replace, preventScrollReset, ...rest }: AnyLinkProps) {
  // What <Link> makes of a whole path in HTML, without its hooks: a list has a hundred of them (docs/performance.md).
  if (isPlain(to) || (onServer && to.startsWith("/"))) return <a href={to} {...rest} />;
  return (
    <Link to={to} discover="none" reloadDocument={reloadDocument} replace={replace} preventScrollReset={preventScrollReset} {...rest} />
  );
}

/** A square of 48 px with only an icon; `label` is what a screen reader says. With `to` a link, else a button. */
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
      {dot && <i className="dot" />}
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
