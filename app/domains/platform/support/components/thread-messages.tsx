import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { formatDate, formatInstant, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { bubble } from "#app/ui/members/bubble.ts";
import type { ThreadMessage, ThreadVisit } from "../thread.ts";

/** Returns the appointment in one line, with the name of the other side. */
export const visitWord = ({ date, time, ...names }: ThreadVisit, asDoctor: boolean) =>
  m.support_appointment_of({
    date: formatDate(date),
    time: formatTime(time),
    name: asDoctor ? patientNameWord(names.patient) : names.doctor,
  });

/**
 * The messages of a thread in order, those of the reader's side on the right.
 * @param asSupport the reader is an administrator
 */
export function ThreadMessages({
  messages,
  asSupport = false,
  page,
  hasMore,
  to,
}: {
  messages: ThreadMessage[];
  asSupport?: boolean;
  page: number;
  hasMore: boolean;
  to: (page: number) => string;
}) {
  const author = ({ bySupport, author: name }: ThreadMessage) =>
    bySupport ? (asSupport ? (name ?? m.support_us()) : m.support_us()) : asSupport ? m.support_user() : m.support_you();
  return (
    <section className="mt-4" aria-labelledby="h-messages">
      <h2 id="h-messages" className="sr-only">
        {m.support_messages()}
      </h2>
      {hasMore && (
        <p className="mb-3">
          <AnyLink to={to(page + 1)}>{m.support_earlier()}</AnyLink>
        </p>
      )}
      <ol className="space-y-4">
        {messages.map((message) => (
          <li key={message.id} className={bubble(message.bySupport === asSupport)}>
            <p className="text-sm text-ink-soft">
              {author(message)}, {formatInstant(message.createdAt)}
            </p>
            <p className="whitespace-pre-line">{message.content}</p>
          </li>
        ))}
      </ol>
      {page > 1 && (
        <p className="mt-2">
          <AnyLink to={to(1)}>{m.support_newest()}</AnyLink>
        </p>
      )}
    </section>
  );
}
