import { useLocation } from "react-router";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Takes the place of a sensitive form on a page that shows more than this form: confirm the identity first, then come back. */
export function ConfirmFirst() {
  const { pathname, search } = useLocation();
  return (
    <>
      <p className="soft small mb">{m.proof_first()}</p>
      <LinkButton to={`/confirm-identity?next=${encodeURIComponent(pathname + search)}`} variant="second" full icon="lock">
        {m.proof_title()}
      </LinkButton>
    </>
  );
}
