import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { useReloadAt } from "#app/ui/reload-at.ts";
import { Countdown, Seconds } from "#app/ui/states.tsx";

/**
 * The seconds a code still counts, then the way to a new one: posts `intent=resend`. When they are over the page asks the
 * server again, with scripts and without (`refreshAfterCode` in the page's handle). `other`: the button that goes back to what was given.
 */
/** For `handle.refresh` of a page with a `CodeWait`. */
export function refreshAfterCode(loaderData: unknown): string | null {
  const { left } = loaderData as { left: number };
  return left > 0 ? String(left + 1) : null;
}

export function CodeWait({ left, other, children }: { left: number; other: { intent: string; label: string }; children?: ReactNode }) {
  const [form] = useNadiForm({ id: "resend" });
  const expired = left === 0;
  useReloadAt(left);
  return (
    <Countdown key={left} left={left} className="wait">
      {!expired && (
        <p className="row">
          <Icon name="hourglass" small />
          <span>
            {m.accounts_code_wait()}{" "}
            <b className="num">
              <Seconds left={left} /> {m.accounts_seconds()}
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
          className={expired ? undefined : "after"}
          pendingText={m.accounts_otp_sending()}
        >
          {m.accounts_resend()}
        </SubmitButton>
        <SubmitButton name="intent" value={other.intent} variant="quiet" size="sm" className="flush">
          {other.label}
        </SubmitButton>
      </Form>
    </Countdown>
  );
}
