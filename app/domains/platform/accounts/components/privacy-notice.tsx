import { href } from "react-router";
import { formatDate } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { NOTICE, type NoticeReader, noticeFor } from "../privacy-notice.ts";

/** The hidden field of a form that logs in: the version of the notice beside it. */
export const ShownNotice = () => <input type="hidden" name="notice" value={NOTICE} />;

/** What Nadi does with the data of the user who logs in on this page. */
export function PrivacyNotice({ reader }: { reader: NoticeReader }) {
  const { data, rights } = noticeFor(reader);
  return (
    <section className="mt-7 space-y-1 text-sm text-ink-soft" aria-labelledby="h-notice">
      <h2 id="h-notice" className="text-sm">
        {m.consent_title()}
      </h2>
      <p>{m.consent_agree()}</p>
      <ul className="space-y-1 list-disc pl-5">
        {data.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      {rights.map((right) => (
        <p key={right}>{right}</p>
      ))}
      <p>
        <AnyLink to={`${href("/patient/terms")}#privacy`}>{m.consent_terms()}</AnyLink> · {m.consent_version({ date: formatDate(NOTICE) })}
      </p>
    </section>
  );
}
