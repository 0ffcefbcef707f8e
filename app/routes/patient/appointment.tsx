import { href } from "react-router";
import { z } from "zod";
import { isOpen } from "#app/domains/appointment.state.ts";
import { bookAgain } from "#app/domains/booking/appointments/booking-draft.server.ts";
import { CallHospital } from "#app/domains/booking/appointments/components/call-hospital.tsx";
import { changeRuleWord } from "#app/domains/booking/appointments/components/change-rule.tsx";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { cancelledWord, placeOf } from "#app/domains/booking/appointments/own-words.ts";
import { getPatientAppointment, listOwnDocuments } from "#app/domains/booking/appointments/queries.server.ts";
import { recordTypeWord } from "#app/domains/booking/appointments/words.ts";
import { paymentWord } from "#app/domains/booking/payments/words.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { directionsTo } from "#app/domains/directory/hospitals/places.ts";
import { hasPassed, minuteInIndia } from "#app/domains/visit-time.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Beat } from "#app/ui/logo.tsx";
import { DateLeaf, Facts, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/appointment.ts";

export const handle = { form: true } satisfies PageHandle;
export const middleware = [requireRole("patient")];

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { updatedAt: _, ...appointment } = await getPatientAppointment(ctx, params.id);
  const documents = await listOwnDocuments(ctx, appointment.id);
  return { appointment, documents, passed: hasPassed(appointment, minuteInIndia(ctx.now)) };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  return submitForm(request, z.object({}), async () => {
    const { doctorId } = await bookAgain(actorCtxOf(context), params.id);
    return redirectTo(`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId })}`);
  });
}

/** The page of one appointment of a patient. Notifications, the list and calendar files lead here. */
export default function Appointment({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment: a, documents, passed } = loaderData;
  const [form] = useNadiForm({ id: "again", lastResult: actionData?.result });
  const open = isOpen(a) && !passed;
  const place = [a.hospitalName, placeOf(a)].filter(Boolean).join(", ");
  const when = `${formatDay(a.date)}, ${formatTime(a.time)}`;
  const toPay = (a.fee ?? 0) - a.discount;
  const { id } = a;
  return (
    <Page title={m.appointments_own_title()} titleAs="p" back={{ to: href("/patient/calendar"), label: m.appointments_to_calendar() }}>
      <section className={open ? "next" : "card"} aria-labelledby="when">
        {open && <Beat />}
        <div className="row">
          <DateLeaf date={a.date} />
          <div className="grow stack-s">
            <h1 id="when">
              <span className="vh">{formatDay(a.date)}, </span>
              <time dateTime={`${a.date}T${a.time}+05:30`}>{formatTime(a.time)}</time>
            </h1>
            <p>
              <StatusBadge status={a.status} passed={passed} />
            </p>
          </div>
        </div>
        <p className="mt">
          <b>{a.doctorName}</b>, {specialtyWord(a.specialization)}
        </p>
        {place && <p className="soft">{place}</p>}
      </section>
      {a.status === "cancelled" && (
        <Note tone="bad" className="section tight">
          {cancelledWord(a)}
        </Note>
      )}
      {isOpen(a) && a.doctorDelisted && (
        <Note tone="warn" className="section tight">
          {m.appointments_doctor_away()}
        </Note>
      )}
      <nav className="tiles section tight" aria-label={m.appointments_own_tools()}>
        {a.hospitalName && (
          <Tile
            to={directionsTo({
              name: a.hospitalName,
              address: a.address ?? "",
              city: a.city ?? "",
              latitude: a.latitude,
              longitude: a.longitude,
            })}
            icon="map-pin"
          >
            {m.appointments_directions()}
          </Tile>
        )}
        {a.hospitalPhone && (
          <Tile to={`tel:${a.hospitalPhone}`} icon="phone">
            {m.appointments_call_clinic()}
          </Tile>
        )}
        <a href={href("/patient/appointments/:id/calendar.ics", { id })} download>
          <Icon name="calendar-plus" />
          {m.appointments_add_ics()}
        </a>
        {open && (
          <Tile
            to={`https://wa.me/?text=${encodeURIComponent(m.appointments_share_text({ doctor: a.doctorName, when, place }))}`}
            icon="send"
          >
            {m.appointments_share()}
          </Tile>
        )}
      </nav>
      {open && !a.doctorDelisted && (
        <section className="card section tight" aria-labelledby="pay">
          <h2 id="pay">{m.payments_method()}</h2>
          <Facts
            items={[
              [m.payments_to_pay(), a.fee === null ? m.doctors_fee_unknown() : formatRupees(toPay)],
              [
                m.payments_reference(),
                <span key="r" className="num">
                  {a.paymentReference}
                </span>,
              ],
              [m.payments_title(), paymentWord(a.paymentMethod) || m.payments_method_open()],
            ]}
          />
          {a.paymentMethod === "clinic" && <p className="mt">{m.payments_clinic_chosen({ reference: a.paymentReference })}</p>}
          <div className="foot">
            <LinkButton to={href("/patient/appointments/payment/:id", { id })} {...(a.paymentMethod ? { variant: "second" as const } : {})}>
              {m.payments_change()}
            </LinkButton>
          </div>
        </section>
      )}
      {open && (
        <section className="section" aria-labelledby="bring">
          <h2 id="bring" className="mb">
            {m.appointments_bring()}
          </h2>
          <ul className="stack-s">
            {[
              m.appointments_bring_reference({ reference: a.paymentReference }),
              m.appointments_bring_medicines(),
              m.appointments_bring_reports(),
            ].map((text) => (
              <li key={text} className="row">
                <Icon name="check" small />
                <span className="grow">{text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="section" aria-labelledby="details">
        <h2 id="details" className="mb">
          {m.appointments_own_details()}
        </h2>
        <Facts
          items={[
            [m.appointments_patient(), a.patientName],
            [m.appointments_reason(), a.reason],
            !open && [
              m.payments_reference(),
              <span key="r" className="num">
                {a.paymentReference}
              </span>,
            ],
            [
              m.doctors_phone(),
              a.hospitalPhone && (
                <a key="c" className="num" href={`tel:${a.hospitalPhone}`}>
                  {formatPhone(a.hospitalPhone)}
                </a>
              ),
            ],
            documents.length > 0 && [
              m.appointments_papers(),
              <ul key="d" className="stack-s">
                {documents.map((document) => (
                  <li key={document.fileId}>
                    <a href={href("/files/:id", { id: document.fileId })}>{document.description}</a>{" "}
                    <small className="soft">{recordTypeWord(document.recordType)}</small>
                  </li>
                ))}
              </ul>,
            ],
          ]}
        />
      </section>
      {open && (
        <section className="section stack">
          <p className="soft">{a.movable || a.cancellable ? changeRuleWord(a.deadline) : m.appointments_cancel_too_late()}</p>
          <p className="row wrap">
            {a.movable && (
              <LinkButton to={href("/patient/appointments/:id/reschedule", { id })} variant="second">
                {m.appointments_reschedule()}
              </LinkButton>
            )}
            {a.cancellable && (
              <LinkButton to={href("/patient/appointments/:id/cancel", { id })} variant="danger">
                {m.appointments_cancel()}
              </LinkButton>
            )}
            {!a.cancellable && <CallHospital appointment={a} />}
          </p>
        </section>
      )}
      {!open && (
        <Form form={form} className="section">
          <p className="row wrap">
            {a.status === "completed" && (
              <LinkButton to={href("/patient/appointments/:id/review", { id })} variant="second">
                {a.reviewed ? m.reviews_yours() : m.reviews_write()}
              </LinkButton>
            )}
            {a.doctorDelisted ? (
              <LinkButton to={`${href("/doctorspages/Cards-data")}?${new URLSearchParams({ category: a.category })}`}>
                {m.appointments_other_doctor()}
              </LinkButton>
            ) : (
              <SubmitButton>{m.appointments_book_again()}</SubmitButton>
            )}
          </p>
        </Form>
      )}
    </Page>
  );
}

const Tile = ({ to, icon, children }: { to: string; icon: "map-pin" | "phone" | "send"; children: string }) => (
  <AnyLink to={to} {...(to.startsWith("https:") ? { rel: "noreferrer", target: "_blank" } : {})}>
    <Icon name={icon} />
    {children}
  </AnyLink>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.appointments_own_title() }) }];
