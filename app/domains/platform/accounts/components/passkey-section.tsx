import { href } from "react-router";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { OwnPasskey, PasskeySupport } from "../passkey-support.ts";

const PASSKEYS = href("/account/security/passkeys");

/** The passkeys of a user, with links to add, rename and remove them. At an address without passkeys shows the reason. */
export function PasskeySection({ passkeys, support }: { passkeys: OwnPasskey[]; support: PasskeySupport }) {
  return (
    <section className="card mt-7" aria-labelledby="h-passkeys">
      <h2 id="h-passkeys">{m.passkeys_title()}</h2>
      <p className="text-ink-soft mb-3">{m.passkeys_text()}</p>
      {passkeys.length > 0 && (
        <DividedList>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} {...passkey} />
          ))}
        </DividedList>
      )}
      {support.state === "yes" ? (
        <>
          {passkeys.length === 0 && <p className="mb-3">{m.passkeys_none()}</p>}
          <LinkButton to={`${PASSKEYS}/add`} variant="second" full icon="plus">
            {m.passkeys_add()}
          </LinkButton>
          <NeedsScript />
        </>
      ) : (
        <Note>{whyNot(support)}</Note>
      )}
      <p className="text-sm text-ink-soft mt-2">{m.passkeys_stays()}</p>
    </section>
  );
}

/** Shows that passkeys need JavaScript, until it runs. Not `<noscript>`, because scripts may also be blocked or fail. */
export function NeedsScript() {
  return useHydrated() ? null : <p className="text-sm text-ink-soft mt-2">{m.passkeys_no_script()}</p>;
}

/** Returns why this address has no passkeys. */
export const whyNot = (support: Exclude<PasskeySupport, { state: "yes" }>): string =>
  support.state === "ip-address" ? m.passkeys_no_ip() : m.passkeys_no_address({ address: support.address });

function PasskeyRow({ id, name, createdAt, lastUsedAt }: OwnPasskey) {
  return (
    <li>
      <b>{name}</b>
      <p className="text-sm text-ink-soft">{m.passkeys_created({ at: formatInstant(createdAt) })}</p>
      <p className="text-sm text-ink-soft">{lastUsedAt ? m.passkeys_used({ at: formatInstant(lastUsedAt) }) : m.passkeys_unused()}</p>
      <p className="row flex-wrap">
        <LinkButton to={`${PASSKEYS}/${id}/rename`} variant="quiet" size="sm" className="pl-0" aria-label={m.passkeys_rename_of({ name })}>
          {m.passkeys_rename()}
        </LinkButton>
        <LinkButton to={`${PASSKEYS}/${id}/remove`} variant="quiet" size="sm" aria-label={m.passkeys_remove_of({ name })}>
          {m.passkeys_remove()}
        </LinkButton>
      </p>
    </li>
  );
}
