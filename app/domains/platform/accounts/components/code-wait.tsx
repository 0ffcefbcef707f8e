import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Countdown, Seconds } from "#app/ui/states.tsx";

/** Shows that wrong codes have ended the code, unless the field shows it already (`errors`). Its button is disabled, "Resend" is open. */
export function CodeUsedUp({ errors }: { errors: string[] | undefined }) {
  if (errors?.includes(m.accounts_otp_used_up())) return null;
  return (
    <Note tone="warn" className="mt-5">
      {m.accounts_otp_used_up()}
    </Note>
  );
}

type CodeWaitProps = {
  /** Seconds that the code is valid. */
  left: number;
  /** Seconds until a new code may be requested. */
  resendIn: number;
  /** The button that returns to the first step. */
  other: { intent: string; label: string };
  children?: ReactNode;
};

/** For `handle.refresh` of a page with a `CodeWait`. */
export function refreshAfterCode(loaderData: unknown): string | null {
  const { left } = loaderData as { left: number };
  return left > 0 ? String(left + 1) : null;
}

/**
 * Counts down to the button that posts `intent=resend`. Reloads the page when the code expires, with and without JavaScript
 * (`refreshAfterCode`).
 */
export function CodeWait({ left, resendIn, other, children }: CodeWaitProps) {
  const [form] = useNadiForm({ id: "resend" });
  const open = resendIn === 0;
  useReloadAt(left);
  return (
    <Countdown key={resendIn} left={resendIn} over={m.accounts_resend_open()} className="mt-5">
      {!open && (
        <p className="row">
          <Icon name="hourglass" small />
          <span>
            {m.accounts_code_wait()}{" "}
            <b className="num">
              <Seconds left={resendIn} /> {m.accounts_seconds()}
            </b>
          </span>
        </p>
      )}
      <Form form={form}>
        {children}
        <SubmitButton
          name="intent"
          value="resend"
          variant="second"
          full
          icon="refresh-cw"
          className={open ? undefined : "animate-after"}
          pendingText={m.accounts_otp_sending()}
        >
          {m.accounts_resend()}
        </SubmitButton>
        <SubmitButton name="intent" value={other.intent} variant="quiet" size="sm" className="pl-0">
          {other.label}
        </SubmitButton>
      </Form>
    </Countdown>
  );
}
