import type { ReactNode } from "react";
import { Form, href } from "react-router";
import { z } from "zod";
import { isOpen } from "#app/domains/appointment.state.ts";
import { NearestTimes } from "#app/domains/booking/appointments/components/nearest-times.tsx";
import { dayWord } from "#app/domains/booking/appointments/components/next-appointment.tsx";
import { ProposalAnswer } from "#app/domains/booking/appointments/components/proposal-answer.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { cancelledWord, placeOf } from "#app/domains/booking/appointments/own-words.ts";
import { getPatientAppointment, listOwnDocuments } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { findProposal } from "#app/domains/booking/appointments/proposals.server.ts";
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { listNearestFree } from "#app/domains/booking/availability/queries.server.ts";
import { dueOf, paymentStatusOf, prepayOf } from "#app/domains/booking/payments/payment-status.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { moneyBack } from "#app/domains/money/online/money-back.server.ts";
import { listOwnVisitPayments } from "#app/domains/money/payments/queries.server.ts";
import { bookedAgeOn } from "#app/domains/platform/users/age-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { listDocumentsOfVisit } from "#app/domains/visit/documents/queries.server.ts";
import { documentWord } from "#app/domains/visit/documents/words.ts";
import { FollowUpCard } from "#app/domains/visit/follow-up/components/follow-up-card.tsx";
import { bookFollowUp, findFollowUp } from "#app/domains/visit/follow-up/follow-ups.server.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { findOwnToken } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { ageWord } from "#app/lib/age.ts";
import { daysBetween, formatDay, formatSpan, formatTime, timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { whatsAppShare } from "#app/lib/whatsapp-share.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { DeepCard } from "#app/ui/members/deep-card.tsx";
import { Card, DetailColumns, Disc, Facts, GoLink, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/appointment.ts";
import { Changes, Payment, wayTo } from "./appointment-payment.tsx";
import { Tile, tileRow } from "./tiles.tsx";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { updatedAt: _, ...appointment } = await getPatientAppointment(ctx, params.id);
  const { date, time, expectedTime } = appointment;
  const started = hasStarted(ctx.now, { date, time: expectedTime ?? time });
  const [documents, nearest, lines, proposal, token, signed, followUp] = await Promise.all([
    listOwnDocuments(ctx, appointment.id),
    // A cancelled appointment offers another time, while its doctor can be booked.
    appointment.status === "cancelled" && !appointment.doctorDelisted
      ? listNearestFree(ctx, appointment.doctorId, started ? minuteInIndia(ctx.now) : appointment)
      : null,
    listOwnVisitPayments(ctx, appointment.id),
    findProposal(ctx, appointment.id),
    findOwnToken(ctx, appointment.id),
    listDocumentsOfVisit(ctx, appointment.id),
    // Only a visit that has begun can have one.
    started ? findFollowUp(ctx, appointment.id) : null,
  ]);
  const back = await moneyBack(ctx, appointment, lines);
  const due = dueOf(appointment);
  const confirming = paymentStatusOf(appointment, null) === "confirming";
  const money = { lines, isPaid: appointment.received > appointment.refunded && !due, due, confirming, back };
  const open = isOpen(appointment);
  const prepay = open && !started && ctx.integrations.payments ? prepayOf(appointment, ctx.now) : null;
  const place = [appointment.hospitalName, placeOf(appointment)].filter(Boolean).join(", ");
  const { id } = appointment;
  return {
    appointment,
    /** What the doctor signed, then what the patient added, each the newest first. */
    documents: [
      ...signed.map((one) => ({
        to: href("/patient/appointments/:id/documents/:documentId", { id, documentId: one.id }),
        name: documentWord(one),
        about: "",
      })),
      ...documents.map((one) => ({
        to: href("/files/:id", { id: one.fileId }),
        name: one.description,
        about: recordTypeWord(one.recordType),
      })),
    ],
    isSigned: signed.length > 0,
    followUp,
    nearest,
    money,
    /** Until when the patient may pay; `over`: that has passed. */
    prepay: prepay && { ...prepay, until: timeInIndia(prepay.until) },
    proposal,
    token,
    place,
    today: todayInIndia(ctx.now),
    live: open && !started,
    /** Until the start, which for a token is that of its session: start-order.server.ts. */
    payable: open && !hasStarted(ctx.now, appointment),
    // While the token waits or is inside, the visit is not over.
    past: open && started && !appointment.inQueue,
  };
});

export const action = submitOwn(z.object({}), async (ctx, _, { params }: Route.ActionArgs) => {
  const query = await bookFollowUp(ctx, params.id);
  return redirectTo(`${href("/patient/appointments/datetime")}?${new URLSearchParams(query)}`);
});

type Props = Route.ComponentProps["loaderData"];

/** The page of one appointment of a patient. Notifications, the list and calendar files lead here. */
export default function Appointment({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment: a, nearest, proposal, token, live } = loaderData;
  // A form without fields, so without Conform: 10 KB less.
  const problem = Object.values(actionData?.result.error ?? {}).flatMap((list) => list ?? [])[0];
  return (
    <Page wide title={m.appointments_own_title()} titleAs="p" back={{ to: href("/patient/calendar"), label: m.appointments_to_calendar() }}>
      <DetailColumns>
        <div>
          <When {...loaderData} />
          {token && (
            <Card as="div" className="mt-4">
              <div className="row">
                <b className="grow">
                  <GoLink to={href("/q/:code", { code: token.code })}>{m.token_open({ number: token.number })}</GoLink>
                </b>
                <Icon name="chevron-right" small />
              </div>
            </Card>
          )}
          {loaderData.followUp && <FollowUpCard followUp={loaderData.followUp} action={href("/patient/appointments/:id", { id: a.id })} />}
          {proposal ? <ProposalAnswer visit={a} proposal={proposal} /> : <Message {...loaderData} />}
          {live && <Tools {...loaderData} />}
          {live ? (
            <section className="card mt-7 space-y-4" aria-labelledby="change">
              <h2 id="change">{m.appointments_own_change()}</h2>
              <Changes appointment={a} />
            </section>
          ) : (
            <Form method="post" className="mt-7">
              {problem && (
                <Note tone="bad" role="alert" className="mb-3">
                  {problem}
                </Note>
              )}
              <Again appointment={a} again={!loaderData.followUp} />
            </Form>
          )}
          {nearest && (
            <NearestTimes
              nearest={nearest}
              address={(slot) =>
                `${href("/patient/appointments/patient-detail")}?${new URLSearchParams({ doctorId: a.doctorId, ...slot })}`
              }
              elsewhere={`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId: a.doctorId })}`}
            />
          )}
        </div>
        <div>
          <section className="card space-y-4" aria-labelledby="pay">
            <h2 id="pay">{m.payments_method()}</h2>
            <Payment {...loaderData} />
          </section>
          <Documents {...loaderData} />
          {live && <ToBring reference={a.paymentReference} />}
          <Details {...loaderData} />
        </div>
      </DetailColumns>
    </Page>
  );
}

const When = ({ appointment: a, place, today, live, past }: Props) => (
  <DeepCard beat={live} aria-labelledby="when">
    <div className="row flex-wrap">
      <DateLeaf date={a.date} />
      <div className="grow space-y-1">
        {isSoon(a.date, today) && <p className="text-sm text-ink-soft">{dayWord(a.date, today)}</p>}
        <h1 id="when">
          <span className="sr-only">{formatDay(a.date)}, </span>
          <time dateTime={`${a.date}T${a.expected?.from ?? a.expectedTime ?? a.time}+05:30`}>
            {hasToken(a) ? m.token_title({ number: a.token }) : formatTime(a.time)}
          </time>
        </h1>
        {hasToken(a) && (
          <p>{m.token_about({ time: a.expected ? formatSpan(a.expected) : formatTime(a.expectedTime), start: formatTime(a.time) })}</p>
        )}
        <p>
          <StatusBadge status={a.status} passed={past} missed={a.missed} />
        </p>
      </div>
      <Disc id={a.doctorId} name={a.doctorName} photo={photoPath(a.doctorPhoto)} />
    </div>
    <p className="mt-2">
      {a.doctorDelisted ? (
        <b>{a.doctorName}</b>
      ) : (
        <AnyLink
          className="inline-flex min-h-target-min items-center font-bold text-inherit"
          to={href("/details/doctor/:id", { id: a.doctorId })}
        >
          {a.doctorName}
        </AnyLink>
      )}
      , {specialtyWord(a.specialization)}
    </p>
    {place && <p className="text-ink-soft">{place}</p>}
  </DeepCard>
);

const ToBring = ({ reference }: { reference: string }) => (
  <section className="mt-7" aria-labelledby="bring">
    <h2 id="bring" className="mb-3">
      {m.appointments_bring()}
    </h2>
    <ul className="space-y-1">
      <Bring>{m.appointments_bring_reference({ reference })}</Bring>
      <Bring>{m.appointments_bring_medicines()}</Bring>
      <Bring>{m.appointments_bring_reports()}</Bring>
    </ul>
  </section>
);

/** True for a patient of a session, who has a number instead of a time. */
const hasToken = <A extends { token: number | null; expectedTime: string | null }>(
  a: A,
): a is A & { token: number; expectedTime: string } => a.token !== null && a.expectedTime !== null;

/** True for today and tomorrow: other days are on the calendar leaf only. */
const isSoon = (date: string, today: string) => [0, 1].includes(daysBetween(today, date));

/** What the status means for the patient. */
function Message({ appointment: a, live, past }: Props) {
  if (a.status === "cancelled")
    return (
      <Note tone="bad" className="mt-7">
        <p>{cancelledWord(a)}</p>
        {a.cancelNote && (
          <p className="whitespace-pre-line">
            <b>{a.cancelledBy === "clinic" ? m.proposals_message_clinic() : m.proposals_message()}</b> {a.cancelNote}
          </p>
        )}
      </Note>
    );
  if (past) return <Note className="mt-7">{m.payments_past()}</Note>;
  if (!live) return null;
  if (a.doctorDelisted)
    return (
      <Note tone="warn" className="mt-7">
        {m.appointments_doctor_away()}
      </Note>
    );
  return a.status === "pending" ? <Note className="mt-7">{m.payments_booked_text({ doctor: a.doctorName })}</Note> : null;
}

/** Directions, call, calendar and share. */
function Tools({ appointment: a, place }: Props) {
  return (
    <nav className={`${tileRow} mt-7`} aria-label={m.appointments_own_tools()}>
      {a.hospitalName && (
        <Tile to={wayTo(a)} icon="map-pin">
          {m.appointments_directions()}
        </Tile>
      )}
      {a.hospitalPhone && (
        <Tile to={`tel:${a.hospitalPhone}`} icon="phone">
          {m.appointments_call_clinic()}
        </Tile>
      )}
      <Tile to={href("/patient/appointments/:id/calendar.ics", { id: a.id })} icon="calendar-plus">
        {m.appointments_add_ics()}
      </Tile>
      <Tile to={whatsAppShare(shareText(a, place))} icon="send">
        {m.appointments_share()}
      </Tile>
    </nav>
  );
}

/** Returns the text for another person: no patient and no health text. */
const shareText = (a: Props["appointment"], place: string) =>
  m.appointments_share_text({ doctor: a.doctorName, when: `${formatDay(a.date)}, ${visitTimeWord(a)}`, place }).trim();

/** The next step after an appointment that is over or cancelled. `again`: no card above offers the same. */
const Again = ({ appointment: a, again }: Pick<Props, "appointment"> & { again: boolean }) => (
  <p className="row flex-wrap">
    {a.doctorDelisted ? (
      <LinkButton to={`${href("/doctorspages/Cards-data")}?${new URLSearchParams({ category: a.category })}`} className="grow">
        {m.appointments_other_doctor()}
      </LinkButton>
    ) : (
      again && <SubmitButton className="grow">{m.appointments_book_again()}</SubmitButton>
    )}
    {a.status === "completed" && (
      <LinkButton to={href("/patient/appointments/:id/review", { id: a.id })} variant="second" className="grow">
        {a.reviewed ? m.reviews_yours() : m.reviews_write()}
      </LinkButton>
    )}
  </p>
);

const Bring = ({ children }: { children: ReactNode }) => (
  <li className="row items-start *:first:mt-1">
    <Icon name="check" small />
    <span className="grow">{children}</span>
  </li>
);

function Documents({ documents, isSigned, live }: Props) {
  if (documents.length === 0 && !live) return null;
  return (
    <section className="card mt-4" aria-labelledby="documents">
      <h2 id="documents" className="mb-3">
        {m.appointments_own_documents()}
      </h2>
      <ul className="*:border-t *:border-line *:py-1 *:first:border-t-0">
        {documents.map(({ to, name, about }) => (
          <li key={to}>
            <a className="row min-h-13 text-ink no-underline" href={to}>
              <Icon name="file-text" />
              <span className="grow">
                <b className="block underline">{name}</b> {about && <small className="text-ink-soft">{about}</small>}
              </span>
              <Icon name="chevron-right" small />
            </a>
          </li>
        ))}
        {live && !isSigned && (
          <li className="row min-h-13">
            <Icon name="pill" />
            <span className="grow">
              <b className="block">{m.appointments_record_prescription()}</b>{" "}
              <small className="text-ink-soft">{m.appointments_own_prescription_later()}</small>
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Details({ appointment: a, place, live }: Props) {
  return (
    <section className="mt-7" aria-labelledby="details">
      <h2 id="details" className="mb-3">
        {m.appointments_own_details()}
      </h2>
      <Facts
        items={[
          [m.appointments_patient(), `${a.patientName}, ${ageWord(bookedAgeOn(a, a.date))}`],
          [m.appointments_reason(), a.reason || m.appointments_not_specified()],
          [
            m.doctors_clinic_phone(),
            a.hospitalPhone && (
              <span key="c">
                <a className="num" href={`tel:${a.hospitalPhone}`}>
                  {formatPhone(a.hospitalPhone)}
                </a>
                {a.demoPhone && <span className="text-sm text-ink-soft block">{m.doctors_demo_phone()}</span>}
              </span>
            ),
          ],
        ]}
      />
      {live && (
        <CopyButton text={shareText(a, place)} done={m.appointments_copied()}>
          {m.appointments_copy()}
        </CopyButton>
      )}
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_own_title() }) }];
