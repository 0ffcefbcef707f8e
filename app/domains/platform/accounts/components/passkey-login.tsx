import { href, useSubmit } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { NOTICE } from "../privacy-notice.ts";
import { usePasskey } from "./use-passkey.tsx";

/**
 * The button that logs in with a passkey. Hidden without JavaScript and in browsers without passkeys.
 * @param emailField the id of an email field on the page: when it is filled in, the passkey must belong to that account
 */
export function PasskeyLogin({ emailField }: { emailField?: string }) {
  const submit = useSubmit();
  const { ready, busy, problem, ask } = usePasskey("login");
  if (!ready) return null;
  const press = async () => {
    const credential = await ask();
    const email = emailField ? ((document.getElementById(emailField) as HTMLInputElement | null)?.value ?? "") : "";
    if (credential) await submit({ email, credential, notice: NOTICE }, { method: "post", action: href("/dual-doctor/passkey") });
  };
  return <PasskeyButton label={m.passkeys_log_in()} busy={busy} problem={problem} press={press} />;
}

/** The button that confirms the identity of the user with a passkey: posts `intent=passkey` to this page. */
export function PasskeyConfirm() {
  const submit = useSubmit();
  const { ready, busy, problem, ask } = usePasskey("confirm");
  if (!ready) return null;
  const press = async () => {
    const credential = await ask();
    if (credential) await submit({ intent: "passkey", credential }, { method: "post" });
  };
  return <PasskeyButton label={m.passkeys_confirm()} busy={busy} problem={problem} press={press} />;
}

function PasskeyButton({
  label,
  busy,
  problem,
  press,
}: {
  label: string;
  busy: boolean;
  problem: string | null;
  press: () => Promise<void>;
}) {
  return (
    <div className="mt-6">
      <Button
        variant="second"
        size="lg"
        full
        icon="lock"
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        // An error on leaving the field would move the button before it is released.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => !busy && void press()}
      >
        {busy ? m.passkeys_adding() : label}
      </Button>
      {problem && (
        <Note tone="warn" role="status" className="mt-5">
          {problem}
        </Note>
      )}
    </div>
  );
}
