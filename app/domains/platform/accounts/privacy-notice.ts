import { m } from "#app/paraglide/messages.js";

/** Version of the notice: the day from which it is shown. A change of its texts needs a new one, which each account agrees to again. */
export const NOTICE = "2026-11-28";

/** Who logs in on a page. */
export type NoticeReader = "patient" | "staff";

/** Returns the notice that stands beside a login: each kind of data with its purpose, then how to withdraw the consent and to complain (DPDP Act 2023, section 5). */
export const noticeFor = (reader: NoticeReader): { data: string[]; rights: string[] } =>
  reader === "patient"
    ? {
        data: [m.consent_phone(), m.consent_health(), m.consent_place(), m.consent_payments()],
        rights: [m.consent_withdraw(), m.consent_complain()],
      }
    : {
        data: [m.consent_contact(), m.consent_profile(), m.consent_log()],
        rights: [m.consent_withdraw_staff(), m.consent_complain()],
      };
