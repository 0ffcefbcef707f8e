import { createContext, type MouseEvent, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { href, useFetcher } from "react-router";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { CANCEL_NOTE, CANCEL_REASONS, cancelChoiceWord } from "#app/domains/visit-reasons.ts";
import type { DoctorAction } from "#app/domains/visit-time.ts";
import { formatDate, formatDay } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton, SubmitButton } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { Note, Optional } from "#app/ui/pieces.tsx";

/** Fields of an appointment that its actions need. */
export type Actionable = {
  id: string;
  patientName: string;
  date: string;
  time: string;
  status: AppointmentStatus;
  actions: DoctorAction[];
};
type Asked = { action: DoctorAction; appointment: Actionable };

/** Returns the confirmation question of an action (spec 000 §8). */
export function questionOf({ action, appointment: a }: Asked): string {
  const facts = { patient: a.patientName, date: formatDate(a.date), time: visitTimeWord(a) };
  return {
    accept: m.appointments_confirm_accept,
    complete: m.appointments_confirm_complete,
    cancel: m.appointments_confirm_cancel,
    "undo-complete": m.appointments_confirm_undo,
  }[action](facts);
}

const OF_DOCTOR = href("/doctor/appointments");
/** `path`: the pages of the actions are below it. */
const Asking = createContext<{ from: string; path: string; ask: ((asked: Asked) => void) | null }>({
  from: OF_DOCTOR,
  path: OF_DOCTOR,
  ask: null,
});
const DIALOG = "ask-first";
const dialog = () => document.getElementById(DIALOG) as HTMLDialogElement | null;

/**
 * Wraps a page with actions. With JavaScript an action opens its question as a dialog. Without, the same link opens the
 * confirmation page, which returns to `from`. `path`: where the confirmation pages are, by default those of a doctor.
 */
export function AskFirst({ from, path = OF_DOCTOR, children }: { from: string; path?: string; children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  // A new fetcher for each question, so that it does not show the response to the last one.
  const [round, setRound] = useState(0);
  const fetcher = useFetcher<{ result?: { error?: Record<string, string[] | null> | null } }>({ key: `appointment-action-${round}` });
  const sent = useRef(false);
  const sending = fetcher.state !== "idle";
  const problems = Object.values(fetcher.data?.result?.error ?? {}).flatMap((list) => list ?? []);
  const wrong = problems.length > 0;
  const ask = (next: Asked) => {
    sent.current = false;
    setRound(round + 1);
    setAsked(next);
  };
  // Opens with the question rendered, so that the focus is on a button and a screen reader reads both.
  useEffect(() => {
    const box = dialog();
    if (!asked || !box || box.open) return;
    box.showModal();
    // Focuses "No" for a cancellation, so that a double Enter does not cancel a visit.
    box.querySelector<HTMLElement>(asked.action === "cancel" ? ".quiet" : ".btn")?.focus();
  }, [asked]);
  useEffect(() => {
    if (sending) sent.current = true;
    else if (asked && sent.current && !wrong) {
      sent.current = false;
      dialog()?.close();
      goOn(asked.appointment.id, path);
    }
  }, [sending, wrong, asked, path]);
  const address = asked && actionAddress(path, asked.appointment.id, asked.action, from);
  return (
    <Asking value={{ from, path, ask }}>
      {children}
      <Dialog id={DIALOG} title={asked ? questionOf(asked) : m.appointments_doctor_title()}>
        {wrong && (
          <Note tone="bad" role="alert">
            {problems.join(" ")}
          </Note>
        )}
        {asked?.action === "cancel" && !wrong && <p className="text-ink-soft mb-3">{m.appointments_cancel_final()}</p>}
        {wrong || !address ? (
          <DialogClose dialog={DIALOG}>{m.appointments_close()}</DialogClose>
        ) : (
          <fetcher.Form method="post" action={address} preventScrollReset className="row flex-wrap">
            {asked.action === "cancel" && <CancelFields />}
            <SubmitButton pending={sending} {...(asked.action === "cancel" ? { variant: "danger" as const } : {})}>
              {m.ui_yes()}
            </SubmitButton>
            <DialogClose dialog={DIALOG} variant="quiet" full={false}>
              {m.ui_no()}
            </DialogClose>
          </fetcher.Form>
        )}
      </Dialog>
    </Asking>
  );
}

/** The reason that the patient reads. `chosen`: the one that was sent, by default the first. */
export const CancelReasonField = ({ chosen }: { chosen?: unknown }) => (
  <p className="field full">
    <label className="label" htmlFor="cancel-reason">
      {m.appointments_cancel_why()}
    </label>
    <span className="hint" id="cancel-reason-hint">
      {m.appointments_cancel_closes()}
    </span>
    <select
      className="input"
      id="cancel-reason"
      name="reason"
      aria-describedby="cancel-reason-hint"
      defaultValue={CANCEL_REASONS.find((reason) => reason === chosen)}
    >
      {CANCEL_REASONS.map((reason) => (
        <option key={reason} value={reason}>
          {cancelChoiceWord(reason)}
        </option>
      ))}
    </select>
  </p>
);

/** The reason, and the doctor's own message to the patient. */
export const CancelFields = () => (
  <>
    <CancelReasonField />
    <p className="field full">
      <label className="label" htmlFor="cancel-note">
        {m.proposals_cancel_note()} <Optional />
      </label>
      <textarea className="input" id="cancel-note" name="note" maxLength={CANCEL_NOTE} rows={2} />
    </p>
  </>
);

/** Moves the focus after the pressed link was removed: to the same visit, or to the page's heading. */
function goOn(id: string, path: string) {
  if (document.activeElement?.matches("main :is(a, button):not(dialog *)")) return;
  const heading = document.querySelector("h1");
  if (heading) heading.tabIndex = -1;
  const links = `main a:is([href^="${path}/${id}/"], [href="/doctor/patient/${id}"], [data-visit="${id}"] [data-line])`;
  (document.querySelector<HTMLElement>(links) ?? heading)?.focus({ preventScroll: true });
}

const actionAddress = (path: string, id: string, action: DoctorAction, from: string) =>
  `${path}/${id}/${action}?from=${encodeURIComponent(from)}`;

const WORDS = {
  accept: { word: () => m.appointments_accept(), of: m.appointments_accept_of, icon: "check" },
  complete: { word: () => m.appointments_complete(), of: m.appointments_complete_of, icon: "check" },
  "undo-complete": { word: () => m.appointments_undo(), of: m.appointments_undo_of, icon: "refresh-cw" },
  cancel: { word: () => m.appointments_cancel(), of: m.appointments_cancel_of, icon: undefined },
} as const;

/** The button of an action. Renders nothing when the action is not allowed. */
export function ActionButton({
  appointment,
  action,
  variant,
  bare = false,
  className,
}: {
  appointment: Actionable;
  action: DoctorAction;
  variant?: "second" | "quiet";
  /** Without the icon, where space is limited. */
  bare?: boolean;
  className?: string;
}) {
  const { from, path, ask } = useContext(Asking);
  if (!appointment.actions.includes(action)) return null;
  const { word, of, icon } = WORDS[action];
  const onClick = (event: MouseEvent) => {
    // Leaves a click for a new tab or window to the browser.
    if (!ask || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    ask({ action, appointment });
  };
  return (
    <LinkButton
      to={actionAddress(path, appointment.id, action, from)}
      size="sm"
      icon={bare ? undefined : icon}
      variant={variant}
      className={className}
      data-key={action}
      aria-label={of({ name: appointment.patientName, when: `${formatDay(appointment.date)}, ${visitTimeWord(appointment)}` })}
      onClick={onClick}
    >
      {word()}
    </LinkButton>
  );
}

/** Link to propose another time or to move the appointment, until its start. */
export function ChangeTimeLink({ appointment: { id, actions } }: { appointment: Actionable }) {
  if (!actions.includes("cancel") || actions.includes("complete")) return null;
  return (
    <LinkButton to={href("/doctor/patient/:id/time", { id })} variant="second" size="sm" icon="calendar-days">
      {m.proposals_link()}
    </LinkButton>
  );
}

/** Every action that is allowed now. A cancelled visit shows a disabled button (spec 000 §4). */
export function AppointmentActions({ appointment, children }: { appointment: Actionable; children?: ReactNode }) {
  return (
    <>
      <ActionButton appointment={appointment} action="accept" />
      <ActionButton appointment={appointment} action="complete" />
      <ActionButton appointment={appointment} action="undo-complete" variant="second" />
      {children}
      <ActionButton appointment={appointment} action="cancel" variant="quiet" className="end" />
      {appointment.status === "cancelled" && (
        <Button variant="quiet" size="sm" className="end" disabled>
          {m.appointments_status_cancelled()}
        </Button>
      )}
    </>
  );
}
