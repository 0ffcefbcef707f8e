import type { SubmissionResult } from "@conform-to/react";
import { Fragment } from "react";
import { href } from "react-router";
import { statusWord } from "#app/domains/booking/appointments/words.ts";
import { patientNameWord } from "#app/domains/platform/users/deleted-name.ts";
import { type DateKey, formatDay, formatDayShort, formatInstant, formatTime, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { LANGUAGE_NAMES, type Language } from "#app/lib/language.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { Answerer, AppointmentStatus, MessageChannel } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { bubble } from "#app/ui/members/bubble.ts";
import { Card } from "#app/ui/pieces.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { MAX_ANSWER } from "../desk-message.ts";

type Thread = {
  id: string;
  phone: string;
  name: string | null;
  channel: MessageChannel;
  language: Language | null;
  answerer: Answerer;
  waitingSince: Date | null;
  lastInAt: Date | null;
};
type Line = {
  id: string;
  by: "user" | "nadi" | "member";
  call: boolean;
  body: string;
  at: Date;
  member: string | null;
  problem: "failed" | "late" | null;
};
type Visit = { id: string; date: string; time: string; status: AppointmentStatus; doctor: string; patient: string };

const channelWord = (channel: MessageChannel) => (channel === "sms" ? m.phone_sms() : m.phone_whatsapp());
const nameOf = ({ name, phone }: Pick<Thread, "name" | "phone">) => (name ? patientNameWord(name) : formatPhone(phone));

type Statistics = {
  bookedToday: number;
  booked: number;
  cancelled: number;
  sms: number;
  whatsapp: number;
  minutes: number | null;
  cost: string | null;
};
/** Returns what Nadi did for the clinic, in a few sentences. */
export function bookedWord({ bookedToday, booked, cancelled, sms, whatsapp, minutes, cost }: Statistics): string {
  return [
    m.inbox_nadi_answers({ count: bookedToday }),
    m.inbox_month({ booked, cancelled }),
    ...(minutes === null ? [] : [m.inbox_answered_within({ minutes: Math.max(1, Math.round(minutes)) })]),
    ...(cost === null ? [] : [m.inbox_cost({ count: sms + whatsapp, cost })]),
  ].join(" ");
}

type ListProps = { threads: (Thread & { text: string })[]; current: string | null; all: boolean; today: DateKey };
export function ThreadList({ threads, current, all, today }: ListProps) {
  const when = (at: Date) => (todayInIndia(at) === today ? formatTime(timeInIndia(at)) : formatDayShort(todayInIndia(at)));
  return (
    <>
      {threads.length === 0 ? (
        <EmptyState drawing="help" title={m.inbox_none()}>
          {m.inbox_none_text()}
        </EmptyState>
      ) : (
        <ul>
          {threads.map((thread) => (
            <li
              key={thread.id}
              className={`border-b border-line py-3 px-3 ${thread.id === current ? "bg-brand-soft border-l-4 border-l-brand" : ""}`}
            >
              <div className="flex items-center gap-3">
                <AnyLink
                  className="flex min-h-target-min grow items-center wrap-anywhere font-bold"
                  to={href("/desk/messages/:id", { id: thread.id })}
                  aria-current={thread.id === current ? "page" : undefined}
                >
                  {nameOf(thread)}
                </AnyLink>
                <span className="shrink-0 text-sm text-ink-soft">{when(thread.waitingSince ?? thread.lastInAt!)}</span>
              </div>
              <p className="line-clamp-2 wrap-anywhere">{thread.text}</p>
              <p className="text-sm text-ink-soft">
                {[channelWord(thread.channel), ...(thread.language ? [LANGUAGE_NAMES[thread.language]] : [])].join(", ")}
              </p>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3">
        {all ? (
          <LinkButton to={href("/desk/messages")} variant="quiet" size="sm" className="pl-0">
            {m.inbox_only_waiting()}
          </LinkButton>
        ) : (
          <LinkButton to={`${href("/desk/messages")}?all`} variant="quiet" size="sm" className="pl-0">
            {m.inbox_all()}
          </LinkButton>
        )}
      </p>
    </>
  );
}

type TalkProps = {
  thread: Thread & { answerUntil: Date | null };
  lines: Line[];
  visits: Visit[];
  place: string;
  formKey: string;
  result: SubmissionResult<string[]> | null;
};
export function Talk({ thread, lines, visits, formKey, result }: TalkProps) {
  const author = ({ by, member }: Line) => (by === "nadi" ? "Nadi" : by === "member" ? (member ?? m.inbox_clinic()) : nameOf(thread));
  return (
    <div className="grid items-start gap-4 desktop:grid-cols-[1fr_16rem]">
      <Card as="section" aria-labelledby="h-talk">
        <div className="flex items-start gap-3">
          <h2 id="h-talk" className="grow wrap-anywhere">
            {nameOf(thread)}
          </h2>
          <LinkButton variant="quiet" to={`tel:${thread.phone}`}>
            {m.inbox_call()}
          </LinkButton>
        </div>
        <p className="text-sm text-ink-soft mb-3">
          {channelWord(thread.channel)}, {formatPhone(thread.phone)}.{" "}
          {thread.answerUntil ? m.inbox_until({ at: formatInstant(thread.answerUntil) }) : m.inbox_window_over()}
        </p>
        <ol className="space-y-3">
          {lines.map((line, i) => (
            <Fragment key={line.id}>
              {todayInIndia(line.at) !== (i ? todayInIndia(lines[i - 1]!.at) : "") && (
                <li className="text-center text-sm text-ink-soft">{formatDay(todayInIndia(line.at))}</li>
              )}
              <li className={bubble(line.by !== "user")}>
                <p className="whitespace-pre-line">{line.call ? m.inbox_missed_call() : line.body}</p>
                <p className="text-sm text-ink-soft">
                  <span className={line.by === "user" ? "sr-only" : undefined}>{author(line)}, </span>
                  {formatTime(timeInIndia(line.at))}
                  {line.problem && ` · ${line.problem === "late" ? m.inbox_late() : m.inbox_failed()}`}
                </p>
              </li>
            </Fragment>
          ))}
        </ol>
        <Answer thread={thread} seen={lines.findLast(({ by }) => by !== "user")?.id ?? ""} formKey={formKey} result={result} />
      </Card>
      <Card as="section" aria-labelledby="h-visits">
        <h2 id="h-visits">{m.inbox_appointments()}</h2>
        {visits.length === 0 && <p className="text-ink-soft">{m.inbox_no_appointments()}</p>}
        <ul>
          {visits.map(({ id, date, time, status, doctor, patient }) => (
            <li key={id} className="border-b border-line py-3">
              <AnyLink to={`${href("/desk")}?day=${date}&open=${id}`}>
                {formatDay(date)}, {formatTime(time)}
              </AnyLink>
              <p className="text-sm text-ink-soft">
                {patientNameWord(patient)}, {doctor}, {statusWord(status)}
              </p>
            </li>
          ))}
        </ul>
        <LinkButton className="mt-3" variant="second" full to={href("/desk/book")}>
          {m.inbox_book()}
        </LinkButton>
      </Card>
    </div>
  );
}

function Answer({
  thread,
  seen,
  formKey,
  result,
}: {
  thread: TalkProps["thread"];
  seen: string;
  formKey: string;
  result: TalkProps["result"];
}) {
  const [form, fields] = useNadiForm<{ message: string }>({ id: "answer", lastResult: result });
  const [ready] = useNadiForm({ id: "ready", lastResult: null });
  const [back] = useNadiForm({ id: "hand-back", lastResult: null });
  const hidden = (
    <>
      <input type="hidden" name="seen" value={seen} />
      <input type="hidden" name="key" value={formKey} />
    </>
  );
  return (
    <>
      {thread.answerUntil && (
        <>
          <Form form={ready} className="mt-4">
            <input type="hidden" name="intent" value="ready" />
            {hidden}
            <div className="row flex-wrap">
              {(["desk-yes", "desk-again", "desk-call"] as const).map((one) => (
                <SubmitButton key={one} name="ready" value={one} variant="second">
                  {{ "desk-yes": m.inbox_yes(), "desk-again": m.inbox_again(), "desk-call": m.inbox_please_call() }[one]}
                </SubmitButton>
              ))}
            </div>
          </Form>
          <Form form={form} className="mt-4">
            {hidden}
            <TextArea field={fields.message} label={m.inbox_answer()} hint={m.inbox_no_health()} rows={3} maxLength={MAX_ANSWER} />
            <SubmitButton className="mt-2" name="intent" value="answer" icon="send" pendingText={m.support_sending()}>
              {m.phone_send()}
            </SubmitButton>
          </Form>
        </>
      )}
      {thread.answerer !== "nadi" && (
        <Form form={back} className="mt-4">
          <SubmitButton name="intent" value="hand-back" variant="quiet">
            {m.inbox_hand_back()}
          </SubmitButton>
        </Form>
      )}
    </>
  );
}
