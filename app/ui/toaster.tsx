/** sonner with the specification's limits (000 §9) and our look. Loaded with the first toast. */
import { useEffect, useRef } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { seconds } from "#app/lib/durations.ts";
import { m } from "#app/paraglide/messages.js";
import { Icon, type IconName } from "./icon.tsx";
import type { ShownToast, ToastMessage } from "./toast.tsx";
import "./toaster.css";

const durations: Record<ToastMessage["type"], number> = { success: seconds(2), error: seconds(4), info: seconds(4), warning: seconds(4) };
const icons: Record<ToastMessage["type"], IconName> = {
  success: "circle-check",
  error: "circle-alert",
  info: "info",
  warning: "triangle-alert",
};

/**
 * `toasts`: all so far, newest last. Dismisses toasts of other pages than `here`, and those of success while another form is sent
 * (`isSubmitting`): "OTP Sent!" must not stay beside a wrong code.
 */
export default function Toaster({ toasts, here, isSubmitting }: { toasts: ShownToast[]; here: string; isSubmitting: boolean }) {
  const ids = useRef<(string | number)[]>([]);
  // Sonner below has subscribed already: effects of children run first.
  useEffect(() => {
    toasts.forEach((toast, i) => {
      if (ids.current[i] === undefined) ids.current[i] = sonner.custom(() => <Words {...toast} />, { duration: durations[toast.type] });
      else if (toast.on !== here) sonner.dismiss(ids.current[i]);
    });
  }, [toasts, here]);
  useEffect(() => {
    if (!isSubmitting) return;
    toasts.forEach(({ type }, i) => {
      if (type === "success" && ids.current[i] !== undefined) sonner.dismiss(ids.current[i]);
    });
  }, [toasts, isSubmitting]);
  return (
    <Sonner
      customAriaLabel={m.ui_notifications()}
      visibleToasts={20}
      expand
      position="bottom-center"
      gap={8}
      offset="6rem"
      mobileOffset="6rem"
      toastOptions={{ unstyled: true }}
    />
  );
}

const Words = ({ type, message }: ToastMessage) => (
  <p className="flex items-center gap-3 rounded-md bg-ink px-4 py-3 text-page [box-shadow:var(--shadow-float)]">
    <Icon name={icons[type]} />
    <span className="grow">{message}</span>
  </p>
);
