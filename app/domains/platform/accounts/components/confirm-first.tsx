import { href, useLocation } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Replaces a sensitive form in a page with other content: links to the confirmation of the identity, which returns. */
export function ConfirmFirst() {
  const { pathname, search } = useLocation();
  return (
    <>
      <p className="text-sm text-ink-soft mb-3">{m.proof_first()}</p>
      <LinkButton to={`${href("/confirm-identity")}?next=${encodeURIComponent(pathname + search)}`} variant="second" full icon="lock">
        {m.proof_title()}
      </LinkButton>
    </>
  );
}
