/** The pages of a link to one record, in the style of /rx: small, without scripts. The first names who shared it: a patient by initials. */
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { asRefusal, refusals } from "#app/http/refusals.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { escaped } from "#app/lib/escaped.ts";
import { language } from "#app/lib/language.ts";
import type { RecordType, VisitDocumentKind } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { RX_POLICY, refusedRxPage, smallPage } from "./rx-html.ts";

/** The URL is a secret and the record is one of health: no cache, no search engine, no referrer. */
export const SHARE_HEADERS = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer" };

const answer = (status: number, html: string) =>
  new Response(html, {
    status,
    headers: { ...SHARE_HEADERS, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": RX_POLICY },
  });

const DOCUMENTS: Record<VisitDocumentKind, () => string> = {
  prescription: () => m.rx_title(),
  certificate: () => m.certificate_title(),
  order: () => m.order_title(),
};
type Share = { sharedBy: string | null; documentKind: VisitDocumentKind | null; recordType: RecordType | null; expiresAt: Date };

/** The page with the link that opens the record: who shared what, with which service, until when. Its title, which messages show, names no one. */
export function sharePage(key: string, { sharedBy, documentKind, recordType, expiresAt }: Share): Response {
  const what = documentKind
    ? DOCUMENTS[documentKind]()
    : recordType && recordType !== "other"
      ? recordTypeWord(recordType)
      : m.records_document();
  const facts = [
    sharedBy ? [m.shares_page_who(), sharedBy] : [],
    [m.shares_page_what(), what],
    [m.shares_page_with(), m.common_app_name()],
    [m.shares_page_open_until(), formatInstant(expiresAt)],
  ]
    .map(([name, value]) => (value ? `<dt>${escaped(name ?? "")}</dt><dd>${escaped(value)}</dd>` : ""))
    .join("");
  return answer(
    200,
    smallPage(
      m.shares_page_title(),
      `<h1>${escaped(m.shares_page_title())}</h1><section class="card"><dl>${facts}</dl></section><p>${escaped(m.shares_page_text())}</p><a class="btn" rel="nofollow noreferrer" href="/s/${escaped(key)}/open?lang=${language()}">${escaped(m.shares_page_open())}</a>`,
    ),
  );
}

/** Answers a refusal with a page: unknown secret 404, ended link 410, too many tries 429. */
export async function answerShare(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    if (refusal.code === "conflict") return answer(410, refusedRxPage(m.shares_over(), m.shares_over_text()));
    if (refusal.code === "not-found") return answer(404, refusedRxPage(m.shares_unknown(), m.shares_over_text()));
    if (refusal.code === "too-many") return answer(429, refusedRxPage(m.shares_too_many(), m.rx_later()));
    return answer(refusals[refusal.code].status, refusedRxPage(refusals[refusal.code].sentence(), m.rx_later()));
  }
}
